"""The figures of the paper (Namjoshi and Singhania 2016)."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright.scripting import IllegalScript, run_script

from .regions import code_after, positions_after, region, run_on

P = """
for (int i = 0; i < N; i++) {
  for (int j = 0; j < N; j++) {
    L1: A[i][j] = 1;
  }
  for (int j = 0; j < N; j++) {
    L2: B[i][j] = 2;
  }
}
"""
S = "for (int i = 0; i < N; i++)\n  for (int j = 0; j < N; j++) {\n    L: A[i][j] = 1;\n  }\n"
FIGURE_4 = """
for (int i = 0; i < N; i++) {
  for (int j = 0; j < N; j++) {
    L1: A[i][j] = 0;
    s1: B[i][j] = 1;
  }
}
for (int i = 0; i < N; i++) {
  for (int j = 0; j < N; j++) {
    L2: A[i][j] = 2;
        B[i][j] = 3;
  }
  for (int j = 0; j < N; j++) {
    L3: A[i][j] = 4;
        B[i][j] = 5;
  }
}
""".replace("s1: ", "")


def test_figure_3b_splits_the_components() -> None:
    assert code_after(region(P), "realign(L1, L2, 0)") == (
        "{\n"
        "  for (int c0 = 0; c0 < N; c0 += 1)\n"
        "    for (int c1 = 0; c1 < N; c1 += 1)\n"
        "      L1(c0, c1);\n"
        "  for (int c0 = 0; c0 < N; c0 += 1)\n"
        "    for (int c1 = 0; c1 < N; c1 += 1)\n"
        "      L2(c0, c1);\n"
        "}\n"
    )


def test_figure_3c_merges_them() -> None:
    assert code_after(region(P), "realign(L1, L2, 2)") == (
        "for (int c0 = 0; c0 < N; c0 += 1)\n"
        "  for (int c1 = 0; c1 < N; c1 += 1) {\n"
        "    L1(c0, c1);\n"
        "    L2(c0, c1);\n"
        "  }\n"
    )


def test_figure_3d_lifts_to_the_merged_loop() -> None:
    script = "realign(L1, L2, 2)\nL = lift(L1, 2)\naffine(L, {[i,j] -> [j,i]})"
    assert code_after(region(P), script) == (
        "for (int c0 = 0; c0 < N; c0 += 1)\n"
        "  for (int c1 = 0; c1 < N; c1 += 1) {\n"
        "    L1(c1, c0);\n"
        "    L2(c1, c0);\n"
        "  }\n"
    )


def test_figure_3e_scales_and_skews() -> None:
    """The loop of the paper goes in steps of two; the generator counts the steps."""
    script = "affine(L, {[i,j] -> [2i, i+j]})"
    (piece,) = run_on(region(S), script).table.pieces
    expected = isl.Map("[N] -> { L[i, j] -> [2i, i + j] : 0 <= i < N and 0 <= j < N }")
    assert piece.times.is_equal(expected)
    assert code_after(region(S), script) == (
        "for (int c0 = 0; c0 < N; c0 += 1)\n"
        "  for (int c1 = c0; c1 < N + c0; c1 += 1)\n"
        "    L(c0, c1 - c0);\n"
    )


def test_figure_3f_splits_the_iterations() -> None:
    script = "(L3, L4) = isplit(L, {[i,j] : j < N/2}, 1)"
    assert code_after(region(S), script) == (
        "for (int c0 = 0; c0 < N; c0 += 1) {\n"
        "  for (int c1 = 0; c1 < N / 2; c1 += 1)\n"
        "    L(c0, c1);\n"
        "  for (int c1 = N / 2; c1 < N; c1 += 1)\n"
        "    L(c0, c1);\n"
        "}\n"
    )


def test_figure_4a_numbers_the_parts() -> None:
    assert positions_after(region(FIGURE_4)) == {
        "L1": [(0, 0, 0)],
        "S0": [(0, 0, 1)],
        "L2": [(1, 0, 0)],
        "S1": [(1, 0, 1)],
        "L3": [(1, 1, 0)],
        "S2": [(1, 1, 1)],
    }


def test_figure_4b_moves_what_follows_as_well() -> None:
    assert positions_after(region(FIGURE_4), "realign(L1, L2, 2)") == {
        "L1": [(0, 0, 0)],
        "S0": [(0, 0, 1)],
        "L2": [(0, 0, 2)],
        "S1": [(0, 0, 3)],
        "L3": [(0, 1, 2)],
        "S2": [(0, 1, 3)],
    }


def test_figure_4c_puts_both_statements_inside_of_the_new_loops() -> None:
    script = "affine(L2, {[i,j] -> [i,j/32,j%32]})"
    assert positions_after(region(FIGURE_4), script) == {
        "L1": [(0, 0, 0, 0)],
        "S0": [(0, 0, 1, 0)],
        "L2": [(1, 0, 0, 0)],
        "S1": [(1, 0, 0, 1)],
        "L3": [(1, 1, 0, 0)],
        "S2": [(1, 1, 1, 0)],
    }


def test_section_3_2_positions_of_the_product() -> None:
    """``(0,i,0,j,0,0,0)`` and ``(0,i,0,j,1,k,0)``."""
    product = """
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        Init: A[i][j] = 0;
        for (int k = 0; k < N; k++)
          Mult: A[i][j] += B[i][k] * B[k][j];
      }
    """
    assert positions_after(region(product)) == {"Init": [(0, 0, 0, 0)], "Mult": [(0, 0, 1, 0)]}


def test_figure_1b_cannot_run_backwards() -> None:
    body = "for (int i = 2; i < N; i++) {\n  Div: A[i] = A[i] / A[i - 1];\n}"
    with pytest.raises(IllegalScript) as refusal:
        run_script(region(body, "int N, double A[N]"), "affine(Div, {[i] -> [-i]})")
    (only,) = refusal.value.diagnostics
    assert (only.code, only.span.line) == ("LW816", 1)
    expected = "for N = 4: Div at (i = 3) on line 5 reads A[2], which Div at (i = 2) on line 5"
    assert only.message == f"{expected} has to write first"


def test_a_component_cannot_go_in_front_of_what_it_needs() -> None:
    product = region(
        "for (int i = 0; i < N; i++) {\n  Init: A[i] = 0;\n"
        "  for (int k = 0; k < N; k++)\n    Mult: A[i] += B[k];\n}",
        "int N, double A[N], double B[N]",
    )
    assert run_script(product, "realign(Init, Mult, 0)").tree is not None
    with pytest.raises(IllegalScript, match=r"Mult at .* reads A"):
        run_script(product, "affine(Mult, {[i,k] -> [i-1,k]})")
