"""Loops that are written out: whole strips run without conditions, and the rest behind them."""

from __future__ import annotations

import pytest

from loopwright import generate
from loopwright.scripting import run_script

from .regions import region

LOOP = "for (int i = 0; i < N; i++)\n  L: A[i][0] = 1;"
TRIANGLE = "for (int i = 0; i < N; i++)\n  for (int j = 0; j < i; j++)\n    L: A[i][j] = 1;"
SQUARE = TRIANGLE.replace("j < i", "j < N")


def code_of(body: str, script: str) -> str:
    scop = region(body)
    return generate(run_script(scop, script).tree, context=scop.context).to_c()


def test_of_one_loop() -> None:
    assert code_of(LOOP, "unroll(L, 1, 2)") == (
        "{\n"
        "  for (int c0 = 0; c0 < N / 2; c0 += 1) {\n"
        "    L(2 * c0);\n"
        "    L(2 * c0 + 1);\n"
        "  }\n"
        "  if ((N + 1) % 2 == 0)\n"
        "    L(N - 1);\n"
        "}\n"
    )


def test_as_many_as_each_outer_iteration_has() -> None:
    assert code_of(TRIANGLE, "unroll(L, 2, 2)") == (
        "for (int c0 = 1; c0 < N; c0 += 1) {\n"
        "  for (int c1 = 0; c1 < c0 / 2; c1 += 1) {\n"
        "    L(c0, 2 * c1);\n"
        "    L(c0, 2 * c1 + 1);\n"
        "  }\n"
        "  if ((c0 + 1) % 2 == 0)\n"
        "    L(c0, c0 - 1);\n"
        "}\n"
    )


def test_the_outermost_loop_that_tells_them_is_split() -> None:
    """Not the loop next to what is written out, which would ask in each of its iterations."""
    assert code_of(SQUARE, "unroll_and_jam(L, 1, 2)") == (
        "{\n"
        "  for (int c0 = 0; c0 < N / 2; c0 += 1)\n"
        "    for (int c1 = 0; c1 < N; c1 += 1) {\n"
        "      L(2 * c0, c1);\n"
        "      L(2 * c0 + 1, c1);\n"
        "    }\n"
        "  if ((N + 1) % 2 == 0)\n"
        "    for (int c1 = 0; c1 < N; c1 += 1)\n"
        "      L(N - 1, c1);\n"
        "}\n"
    )


def test_two_loops_are_split_for_two_that_are_written_out() -> None:
    code = code_of(SQUARE, "tile(L, 2, 2)\nunroll(L, 3)\nunroll(L, 4)")
    assert code.startswith(
        "{\n"
        "  for (int c0 = 0; c0 < N / 2; c0 += 1) {\n"
        "    for (int c1 = 0; c1 < N / 2; c1 += 1) {\n"
        "      L(2 * c0, 2 * c1);\n"
        "      L(2 * c0, 2 * c1 + 1);\n"
        "      L(2 * c0 + 1, 2 * c1);\n"
        "      L(2 * c0 + 1, 2 * c1 + 1);\n"
        "    }\n"
    )


def test_strips_of_two_statements_are_whole_where_both_are() -> None:
    two = (
        "for (int i = 0; i < N; i++) {\n  if (i > 2) L: A[i][0] = 1;\n  if (i < 9) B[i][0] = 1;\n}"
    )
    assert (
        "  for (int c0 = 2; c0 < min(4, N / 2); c0 += 1) {\n"
        "    L(2 * c0);\n"
        "    S0(2 * c0);\n"
        "    L(2 * c0 + 1);\n"
        "    S0(2 * c0 + 1);\n"
        "  }\n"
    ) in code_of(two, "unroll(L, 1, 2)")


def test_there_is_no_rest_where_the_size_divides_the_loop() -> None:
    assert code_of(LOOP.replace("< N", "< 4"), "unroll(L, 1, 2)") == (
        "for (int c0 = 0; c0 <= 1; c0 += 1) {\n  L(2 * c0);\n  L(2 * c0 + 1);\n}\n"
    )


@pytest.mark.parametrize("condition", ["1", "j != i / 2 % 4"])
def test_a_loop_is_split_for_the_strips_that_are_whole_in_some_of_its_iterations(
    condition: str,
) -> None:
    """All values of j run always, or never: the first loop is split for those of i."""
    four = f"for (int i = 0; i < N; i++)\n  for (int j = 0; j < 4; j++)\n    if ({condition})\n"
    code = code_of(f"{four}      L: A[i][j] = 1;", "unroll_and_jam(L, 1, 2)\nunroll(L, 2)")
    assert code.startswith("{\n  for (int c0 = 0; c0 < N / 2; c0 += 1)")


def test_a_loop_that_is_written_out_itself_is_not_split() -> None:
    """The strips of two are whole by the second loop, which stays written out."""
    code = code_of(LOOP, "affine(L, {[i] -> [i/4,i%4/2,i%2]})\nunroll(L, 2)\nunroll(L, 3)")
    assert code.count("for (") == 1
