"""The new text may rely on what the original program does not survive, and on nothing else."""

from __future__ import annotations

import pytest

from loopwright import optimize
from loopwright.model.proofs import Proof, Unknown
from tests.verify.answers import verdict as check
from tests.verify.rewritten import verdict

LOOPS = """for (int j = 0; j < m; j++)
  for (int k = j; k < n; k += 2)
    t[k] = C[0][k + j + 2];"""
PROGRAM = f"""void f(int n, int m, double t[26], double C[n + 26][n + 26]) {{
#pragma scop
{LOOPS}
#pragma endscop
}}
"""
TEXT = """
if ((n <= 26 || m <= 0) && n >= -25) {{
  for (long c0 = 0; c0 < n && c0 < m; c0++)
    for (long c1 = c0; c1 < n; c1 += 2)
      t[c1] = C[0][{subscript}]; // S0(c0, c1)
}} else {{
{loops}
}}"""


def test_a_program_that_leaves_the_bounds_is_not_defined() -> None:
    # For n = m = 26, a row has 52 elements, and j = k = 25 reads number 52: the new text may, too.
    text = TEXT.format(subscript="c0 + c1 + 2", loops=LOOPS)
    assert isinstance(verdict(PROGRAM, text), Proof)


def test_a_program_that_stays_within_the_bounds_does_so_afterwards() -> None:
    text = TEXT.format(subscript="c0 + c1 + 3", loops=LOOPS)
    assert isinstance(verdict(PROGRAM, text), Unknown)


ROWS = """for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = b[i{row}][j{column}] + 1;"""
COLUMNS = """for (int j = 0; j < m; j++)
    for (int i = 1; i < n; i++)
      b[i][j] = b[i{row}][j{column}] + 1;"""
AROUND = """void f(int n, int m, double b[n][m]) {{
#pragma scop
  {region}
#pragma endscop
}}
"""


def programs(column: str, row: str = "") -> tuple[str, str]:
    """Loops with a reference to another column, and the same with the loops interchanged."""
    regions = (each.format(row=row, column=column) for each in (ROWS, COLUMNS))
    before, after = (AROUND.format(region=each) for each in regions)
    return before, after


REASON = "the original is not defined: b[i][j - 1] leaves its row: at i = 1, j = 0 "


@pytest.mark.parametrize(("row", "column"), [("", " - 1"), ("", " + 1"), (" - 1", " + m - 1")])
def test_nothing_is_proved_of_a_program_that_always_leaves_a_row(row: str, column: str) -> None:
    """Such loops were proved to be the same: for sizes that let neither program do anything."""
    answer = check(*programs(column, row), run=False)
    assert isinstance(answer, Unknown)
    assert "leaves its row" in answer.reason


def test_the_reason_is_one_instance() -> None:
    answer = check(*programs(" - 1"), run=False)
    assert isinstance(answer, Unknown)
    assert answer.reason == REASON + "it is b[1][-1] of double b[n][m] (n = 2, m = 1)"
    assert answer.span is not None
    assert answer.span.line == 5


def test_the_same_text_is_the_same_program_all_the_same() -> None:
    original, _ = programs(" - 1")
    assert isinstance(check(original, original, run=False), Proof)


def test_loops_that_stay_in_the_row_are_proved_as_ever() -> None:
    assert isinstance(check(*programs("", " - 1"), run=False), Proof)


def test_what_leaves_only_for_some_sizes_is_assumed_not_to() -> None:
    before, after = (
        each.replace("< m", "< k").replace("int m", "int m, int k") for each in programs("", " - 1")
    )
    answer = check(before, after, run=False)
    assert isinstance(answer, Proof)
    assert "the original stays within its arrays, as they are declared" in answer.assumed


def test_sizes_of_which_nothing_runs_prove_nothing() -> None:
    """Each of the loops stays within its array for some sizes, but both never do."""
    region = "for (int i = 0; i < n; i++) { a[i + 5] = i; c[i] = b[n - 6]; }"
    before = (
        "void f(int n, double a[restrict 10], double c[restrict n], double b[restrict 10]) {\n"
        f"#pragma scop\n{region}\n#pragma endscop\n}}\n"
    )
    after = before.replace("i = 0; i < n; i++", "i = n - 1; i >= 0; i--")
    answer = check(before, after, run=False)
    assert isinstance(answer, Unknown)
    assert "leaves its array" in answer.reason


@pytest.mark.parametrize("prove", [True, False])
def test_such_a_region_is_left_alone(prove: bool) -> None:
    original, _ = programs(" - 1")
    result = optimize(original, prove=prove)
    result.require_no_mistake()
    assert result.code == original
    assert [each.code for each in result.notes] == ["LW303", "LW601"]
    assert "it is not defined: b[i][j - 1] leaves its row" in result.notes[1].message


def test_the_other_regions_are_rewritten() -> None:
    product = "for (int i = 0; i < 500; i++) for (int j = 0; j < 500; j++) w[j][i] = w[j][i] + 1;"
    original, _ = programs(" - 1")
    other = (
        f"\ndouble w[500][500];\nvoid g(void) {{\n#pragma scop\n{product}\n#pragma endscop\n}}\n"
    )
    result = optimize(original + other)
    assert result.code.startswith(original)
    assert result.code != original + other
