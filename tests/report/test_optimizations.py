"""The report of ``loopwright optimize``, and its result in Python."""

from __future__ import annotations

import re

import pytest

from loopwright import Machine, Result, optimize

PRODUCT = """\
void product(int n, double C[n][n], double A[n][n], double B[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}
"""
PREFIX = """\
void prefix(int n, double s[n], double a[n])
{
#pragma scop
  for (int i = 1; i < n; i++)
    s[i] = s[i - 1] + a[i];
#pragma endscop
}
"""
ROWS = """\
void rows(int n, double y[n], double A[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += A[i][j] < 3 ? A[i][j] : 3;
  }
#pragma endscop
}
"""


@pytest.fixture(scope="module")
def product() -> Result:
    return optimize(PRODUCT)


def test_a_result_has_what_it_promises(product: Result) -> None:
    assert "#pragma omp parallel for" in product.code
    (schedule,), (proof,) = product.schedule, product.proof
    assert "omp parallel for" in str(schedule)
    assert proof is not None
    assert proof.statements == 1


def test_the_explanation_tells_loops_plan_and_proof(product: Result) -> None:
    text = " ".join(product.explanation.split())
    assert text.startswith("product (input.c, lines 4-7, 3 loops) S0 (line 7): tiled ")
    assert "parallel over i" in text
    assert "vectorised over j" in text
    assert re.search(r" proved in \d+ ms: ", text)
    assert "not parallel" not in text
    assert "not vectorised" not in text


def test_what_is_not_parallel_is_explained() -> None:
    text = " ".join(optimize(PREFIX).explanation.split())
    assert "left as it is: " in text
    reason = "not parallel over i: for n = 3: S0 at (i = 2) on line 5 reads s[1]"
    assert reason in text


def test_what_is_not_vectorised_is_explained() -> None:
    text = " ".join(optimize(ROWS).explanation.split())
    assert "not vectorised over j: for n = " in text
    assert "reads y[0], which S1 at (i = 0, j = 0) on line 7 has to write first" in text
    assert "not parallel" not in text


def test_a_reference_that_jumps_is_named() -> None:
    program = PRODUCT.replace("C[i][j] += A[i][k] * B[k][j]", "C[i][j] = A[j][i * 2 % n]")
    program = program.replace("      for (int k = 0; k < n; k++)\n", "")
    text = optimize(program.replace("i * 2 % n", "n - 1 - i")).explanation
    assert "not vectorised" in text
    assert "does not go from one element to the next" in " ".join(text.split())


def test_html_is_escaped() -> None:
    html = optimize(ROWS)._repr_html_()
    assert "A[i][j] &lt; 3" in html
    assert "<table>" in html
    assert "proved in" in html
    assert not re.search(r"<(?!/?(div|h4|table|tr|td|th|p|pre|ul|li)\b)", html)


def test_html_of_nothing_new() -> None:
    html = optimize(PREFIX)._repr_html_()
    assert "The program stays as it is." in html
    assert "not parallel over i" in html


def test_the_machine_is_the_same_everywhere_unless_given(product: Result) -> None:
    assert product.machine == Machine()
    small = optimize(PRODUCT, machine=Machine(l2=64 * 1024))
    assert small.machine.l2 == 64 * 1024
    assert small.code != product.code


def test_no_time_leaves_the_program_alone() -> None:
    result = optimize(PRODUCT, timeout=0)
    assert result.code == PRODUCT
    assert [note.code for note in result.notes] == ["LW602"]


@pytest.mark.parametrize("sizes", [(0,), (-1, 2), (2.5,)])
def test_tile_sizes_are_positive_integers(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="positive"):
        optimize(PRODUCT, tile_sizes=sizes)
