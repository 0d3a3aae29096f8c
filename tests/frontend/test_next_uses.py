"""Iterators that a region shares with what follows it: are their values looked at?"""

from __future__ import annotations

import pytest

from .expectations import scop_of

NEST = (
    "#pragma scop\nfor (i = 0; i < n; i++) for (j = 0; j < n; j++) A[i][j] = 1;\n#pragma endscop\n"
)


def program(before: str, after: str) -> str:
    return f"""int f(int n, double A[n][n], double *B)
{{
  int i, j, *q;
  {before}
{NEST}
  {after}
  return 0;
}}
"""


DEAD = {
    "set for a border": ("", "i = 1; for (j = 0; j < n; j++) B[j] = A[i][j] + i;"),
    "set in both branches": ("", "if (n) i = 1; else { i = n; } B[i] = 2;"),
    "set in the next round": ("while (n--) { i = 3; B[i] = 1;", "}"),
    "with others": ("", "j = i = 1; B[i] = j; for (j = 0, i = 3; j < 3; j++) B[j] = i;"),
    "a loop, then set": ("", "for (i = 0; i < 3; i++) B[i] = 1; i = 4; B[i] = 2;"),
    "set before another round": ("for (int t = 0; t < 3; t++) {", "i = 2; B[i] = t; }"),
}
LIVE = {
    "used": ("", "B[i] = 2;"),
    "used by what sets it": ("", "i = i + 1; B[i] = 2;"),
    "set in one branch": ("", "if (n) i = 1; B[i] = 2;"),
    "set in a loop that may not run": ("", "while (n-- > 3) i = 1; B[i] = 2;"),
    "used at the start of a round": ("for (int t = 0; t < 3; t++) { B[n - 1] = i; i = 1;", "}"),
    "used by a condition": ("i = 0; do {", "} while (i < 3);"),
    "behind a jump": ("for (int t = 0; t < 3; t++) {", "if (n) break; i = 2; } B[i] = 1;"),
    "by a jump back": ("i = 0; again: B[i] = 1;", "if (n--) goto again; i = 3;"),
    "by a pointer": ("q = &i;", "B[*q] = 2; i = 1; B[i] = 2;"),
    "in a switch": ("", "switch (n) { case 0: i = 1; default: B[i] = 2; }"),
    "returned": ("", "if (n > 3) return i; i = 1; B[i] = 3;"),
}


@pytest.mark.parametrize(("before", "after"), DEAD.values(), ids=DEAD.keys())
def test_an_iterator_that_is_set_before_it_is_used_is_none_of_the_data(
    before: str, after: str
) -> None:
    scop = scop_of(program(before, after))
    assert not any(each.is_dynamic for each in scop.statements)
    assert "i" not in [each.name for each in scop.arrays]


@pytest.mark.parametrize(("before", "after"), LIVE.values(), ids=LIVE.keys())
def test_an_iterator_that_is_used_is_data(before: str, after: str) -> None:
    scop = scop_of(program(before, after))
    assert "i" in [each.name for each in scop.arrays]
