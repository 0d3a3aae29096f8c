"""Scalars that are written under a condition: in new places, by other threads, not at all."""

from __future__ import annotations

import pytest

from loopwright import Proof
from tests.verify.answers import verdict as check

FRAME = """\
#include <math.h>
void f(int n, int m, double A[n][m], double x[n], double y[n], int at[n]) {{
  double t = 0;
#pragma scop
{text}
#pragma endscop
{behind}
}}
"""


def is_proved(old: str, new: str, behind: str = "") -> bool:
    texts = (FRAME.format(text=each, behind=behind) for each in (old, f"{{\n{new}\n}}"))
    return isinstance(check(*texts, run=False), Proof)


LARGEST = """\
for (int i = 0; i < n; i++) {
  double b = A[i][0];
  for (int j = 1; j < m; j++)
    if (A[i][j] > b) b = A[i][j];
  x[i] = b;
}
"""
THREADS = """\
double b;
#pragma omp parallel for private(b)
for (int c = 0; c < n; c++) {
  b = A[c][0];
  for (int d = 1; d < m; d++)
    if (A[c][d] > b)
      b = A[c][d];
  x[c] = b;
}
"""
COPIES = """\
for (long c = 0; c < n; c += 4) {
  double b[4];
  for (long d = c; d < c + 4; d++) if (d < n) b[d - c] = A[d][0];
  for (int e = 1; e < m; e++)
    for (long d = c; d < c + 4; d++)
      if (d < n) {
        if (A[d][e] > b[d - c])
          b[d - c] = A[d][e];
      }
  for (long d = c; d < c + 4; d++) if (d < n) x[d] = b[d - c];
}
"""


@pytest.mark.parametrize("new", [THREADS, COPIES], ids=["threads", "copies"])
def test_the_largest_of_a_row(new: str) -> None:
    assert is_proved(LARGEST, new)


SPOILED = {
    "another condition": THREADS.replace("> b", ">= b"),
    "the other way round": THREADS.replace("A[c][d] > b", "b < A[c][d]"),
    "negated for numbers only": THREADS.replace(
        "if (A[c][d] > b)\n      b", "if (A[c][d] <= b) ;\n    else b"
    ),
    "no start": THREADS.replace("  b = A[c][0];\n", ""),
    "a start for all": THREADS.replace("  b = A[c][0];\n", "").replace(
        "#pragma", "b = A[0][0];\n#pragma"
    ),
    "shared": THREADS.replace("private(b)", ""),
    "a copy too few": COPIES.replace("double b[4]", "double b[3]").replace(
        "[d - c]", "[(d - c) / 2]"
    ),
    "another copy": COPIES.replace("> b[d - c]", "> b[0]"),
    "another copy is written": COPIES.replace("b[d - c] = A[d][e]", "b[0] = A[d][e]"),
    "the last one first": COPIES.replace("e = 1; e < m", "e = 2; e < m"),
    "not at all": THREADS.replace("if (A[c][d] > b)\n      b = A[c][d];", ";"),
    "always": THREADS.replace("if (A[c][d] > b)", ""),
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_not_the_largest_of_a_row(name: str) -> None:
    assert not is_proved(LARGEST, SPOILED[name])


KEPT = """\
for (int i = 0; i < n; i++) {
  if (y[i] > 0) t = y[i];
  x[i] = t;
}
"""


def test_what_an_earlier_iteration_has_left() -> None:
    private = KEPT.replace("for", "#pragma omp parallel for private(t)\nfor")
    assert is_proved(KEPT, KEPT.replace("int i", "long i"))
    assert not is_proved(KEPT, private)
    assert not is_proved(KEPT, private.replace("private", "firstprivate"))
    backwards = KEPT.replace("int i = 0; i < n; i++", "int i = n - 1; i >= 0; i--")
    assert not is_proved(KEPT, backwards)
    fresh = KEPT.replace("{\n", "{\n double u = 0;\n", 1).replace("t = y", "u = y")
    assert not is_proved(KEPT, fresh.replace("= t;", "= u;"))


def test_distribution_with_copies_of_what_is_kept() -> None:
    new = """\
double u[n + 1];
u[0] = t;
for (int i = 0; i < n; i++) {
  if (y[i] > 0) u[i] = y[i];
}
for (int i = 0; i < n; i++) x[i] = u[i];
t = u[n - 1];
"""
    assert not is_proved(KEPT, new)


LAST = "for (int i = 0; i < n; i++) if (y[i] > 0) t = y[i];"


def test_a_value_that_flows_out_of_the_loop() -> None:
    threads = f"#pragma omp parallel for private(t)\n{LAST}"
    backwards = LAST.replace("int i = 0; i < n; i++", "int i = n - 1; i >= 0; i--")
    for new in (threads, threads.replace("private", "lastprivate"), backwards):
        assert not is_proved(LAST, new, "x[0] = t;")
    assert is_proved(LAST, LAST.replace("int i", "long i"), "x[0] = t;")


def test_a_value_that_nobody_needs() -> None:
    used = LAST.replace("t = y[i];", "{ t = y[i]; x[i] = t * t; }")
    assert is_proved(used, f"#pragma omp parallel for private(t)\n{used}")
    assert not is_proved(used, f"#pragma omp parallel for private(t)\n{used}", "x[0] = t;")
    late = LAST.replace("t = y[i];", "{ x[i] = t * t; t = y[i]; }")
    assert not is_proved(late, f"#pragma omp parallel for private(t)\n{late}")


INSIDE = [
    "do { x[i] = t; } while ((t = y[i]) > 0 && m < 0);",
    "for (int j = 0; j < 3; t = y[i]) { if (A[i][j] > 0) continue; x[i] = t; j++; }",
    "if (y[i] > 0) t = 1; x[i] = t;",
    "while (y[i] > x[i]) { t = 1; x[i] += t; } x[i] += t;",
    "for (int j = 0; y[j] > 0; j++) { if (y[j] > 3) continue; t = 1; } x[i] = t;",
    "for (int j = 0; j < m; j++) { if (A[i][j] > 3) break; t = 1; } x[i] = t;",
    "y[i] > 0 && (t = 1); x[i] = t;",
    "x[i] = (y[i] > 0 ? (t = 1) : 2) + 1; x[i] = t;",
    "if (y[i] > 0) { if (x[i] > 0) t = 1; x[i] = t; }",
    "if (y[i] > 0) t = 1; else if (x[i] > 0) t = 2; x[i] = t;",
    "if (y[i] > 0) { t += 1; x[i] = t; }",
]


@pytest.mark.parametrize("body", INSIDE)
def test_what_an_instance_may_find_from_before(body: str) -> None:
    old = f"for (int i = 0; i < n; i++) {{ if (x[i] < 9) {{ {body} }} }}"
    assert not is_proved(old, f"#pragma omp parallel for private(t)\n{old}")
    own = old.replace(body, f"t = 0; {body}")
    assert is_proved(own, f"#pragma omp parallel for private(t)\n{own}")


OWN = [
    "t = y[i]; x[i] = t;",
    "if (y[i] > 0) { t = 1; if (x[i] > 0) x[i] = t; }",
    "for (int j = 0; y[j] > 0; j++) { t = y[j]; x[i] += t; }",
    "while (x[i] < 3) { t = y[i]; x[i] += t * t; }",
    "t = 1; while (x[i] < 3) { x[i] += t; t += y[i]; }",
    "t = 0; if (y[i] > 3) t = 1; x[i] = t;",
]


@pytest.mark.parametrize("body", OWN)
def test_what_an_instance_has_put_there_itself(body: str) -> None:
    old = f"for (int i = 0; i < n; i++) {{ if (x[i] < 9) {{ {body} }} }}"
    assert is_proved(old, f"#pragma omp parallel for private(t)\n{old}")


ELEMENTS = [
    "double c[9]; c[at[i]] = 1; x[i] = c[at[n - 1 - i]];",
    "double c[9]; int p = at[i]; c[p] = 1; p++; x[i] = c[p];",
    "double c[9]; for (int j = 0; j < 8; j++) { c[j] = 1; x[i] += c[j + 1]; }",
    "double c[9]; for (int j = 0; j < 8; j++) c[j] = 1; x[i] = c[8];",
]


@pytest.mark.parametrize("body", ELEMENTS)
def test_elements_that_an_instance_finds_from_before(body: str) -> None:
    """Where it has put something into others only, it reads what earlier ones have put there."""
    inside = body.replace("double c[9]; ", "")
    text = f"double c[9]; for (int i = 0; i < n; i++) {{ if (x[i] < 9) {{ {inside} }} }}"
    assert not is_proved(text, text.replace("for (int i", "\n#pragma omp parallel for\nfor (int i"))
    backwards = text.replace("int i = 0; i < n; i++", "int i = n - 1; i >= 0; i--")
    assert not is_proved(text, backwards)
