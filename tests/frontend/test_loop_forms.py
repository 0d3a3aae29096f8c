"""``while`` loops that count have the models of the ``for`` loops that they stand for."""

from __future__ import annotations

import pytest

from loopwright import read_c
from loopwright.model.scop import Scop

FRAME = """\
void g(int *);
int f(int n, int m, double A[n][m], double x[n], unsigned u) {{
  int i, j, k;
#pragma scop
{text}
#pragma endscop
{behind}
}}
"""
COUNTING = "for (i = 0; i < n; i++) { x[i] = 0; }"


def model(text: str, behind: str = "return 0;") -> Scop:
    (found,) = read_c(FRAME.format(text=text, behind=behind))
    return found


def instances(scop: Scop) -> list[str]:
    return [str(each.domain) for each in scop.statements if not each.is_kill]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("i = 0; while (i < n) { x[i] = 0; i++; }", COUNTING),
        ("i = 0;\n\n/* then */ while (i < n) { x[i] = 0; i = i + 1; }", COUNTING),
        ("i = 0; while (i < n) { x[i] = 0; i += 1; }", COUNTING),
        (
            "int l = 0; while (l < n) { x[l] = 0; ++l; }",
            "int l; for (l = 0; l < n; l++) { x[l] = 0; }",
        ),
        (
            "int l = 0; double s = 1; while (l < n) { x[l] = 0; ++l; }",
            "int l; double s = 1; for (l = 0; l < n; l++) { x[l] = 0; }",
        ),
        (
            "i = n; while (i-- > 0) { x[i] = 0; }",
            "for (i = n - 1; i >= 0; i--) { x[i] = 0; }",
        ),
        (
            "for (i = n; i-- > 0; ) { if (x[i] > 0) continue; x[i] = 0; }",
            "for (i = n - 1; i >= 0; i--) { if (x[i] > 0) continue; x[i] = 0; }",
        ),
        (
            "for (int i = n; i--; ) x[i] = 0;",
            "for (int i = n - 1; i != -1; i--) x[i] = 0;",
        ),
        (
            "i = 0; while (i < n) { j = 0; while (j < m) { A[i][j] = 0; j += 2; } i++; }",
            "for (i = 0; i < n; i++) { for (j = 0; j < m; j += 2) A[i][j] = 0; }",
        ),
        (
            "for (i = 0; i < n; i++) { int j = i + 1; while (j < m) { A[i][j] = 0; j++; } }",
            "for (i = 0; i < n; i++) { int j; for (j = i + 1; j < m; j++) A[i][j] = 0; }",
        ),
        (
            "i = 0; while (i < n) { for (j = 0; j < m; j++) { if (x[i] > 0) continue; "
            "A[i][j] = 0; } i++; }",
            "for (i = 0; i < n; i++) for (j = 0; j < m; j++) { if (x[i] > 0) continue; "
            "A[i][j] = 0; }",
        ),
    ],
)
def test_what_counts(text: str, same: str) -> None:
    assert instances(model(text)) == instances(model(same))
    assert all(each.iterators for each in model(text).statements if "x[" in each.text)


@pytest.mark.parametrize(
    "text",
    [
        "i = 0; while (i < n) { if (x[i] > 0) continue; x[i] = 0; i++; }",
        "i = 0; while (i < n) { x[i] = 0; i += (int)x[i]; }",
        "i = 0; while (i < n) { i++; x[i - 1] = 0; }",
        "i = 0; x[i] = 1; while (i < n) { x[i] = 0; i++; }",
        "i = 0; do { x[i] = 0; i++; } while (i < n);",
        "i = 0; if (x[0] > 0) i = 3; while (i < n) { x[i] = 0; i++; }",
        "int l = 0; x[l] = 1; while (l < n) { x[l] = 0; l++; }",
        "int l = (int)x[0]; x[0] = 9; while (l < n) { x[l] = 0; l++; }",
        "i = 0; k = 0; while (k < n) { x[i] = 0; i++; }",
        "u = n; while (u-- > 0) { x[u] = 0; }",
        "k = 0; for (i = 0; i < n; i++, k++) { x[k] = 0; }",
        "k = 0; for (i = 0; i < n; k += 2, i++) { x[k] = 0; }",
        "for (i = 0; i < n; i++, i++) { x[i] = 0; }",
        "i = 0; while (i < n) { x[i] = 0; i++; j = i; } x[0] = j;",
    ],
)
def test_what_does_not(text: str) -> None:
    assert all(not each.iterators for each in model(text).statements)


def test_a_directive_between_the_start_and_the_loop() -> None:
    text = "i = 0;\n#pragma foo\nwhile (i < n) { x[i] = 0; i++; }"
    assert all(not each.iterators for each in model(text).statements)


def test_a_value_that_is_used_later() -> None:
    text = "i = 0; while (i < n) { x[i] = 0; i++; }"
    (only,) = (each for each in model(text, "return i;").statements if not each.is_kill)
    assert only.iterators == ()
    assert any(each.array == "i" and each.writes for each in only.accesses)
