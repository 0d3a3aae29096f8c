"""References that leave their arrays: told where they do so for certain, else assumed away."""

from __future__ import annotations

import pytest

from loopwright import Scop

from .expectations import expect, kernel, model_of, reasons, same, scop_of

ROWS = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) "
LOOP = "for (int i = 0; i < n; i++) "
VARIABLE = "int n, int m, double b[n][m]"
TEN = "int n, double a[10]"


def told(scop: Scop) -> list[str]:
    """What the notes say about references that leave."""
    return [each.message for each in scop.notes if each.code == "LW303"]


CERTAIN = {
    "the column before the first": (
        VARIABLE,
        ROWS + "b[i][j] = b[i][j - 1] + 1;",
        "b[i][j - 1] leaves its row: "
        "at i = 0, j = 0 it is b[0][-1] of double b[n][m] (n = 1, m = 1)",
    ),
    "one column too many": (
        VARIABLE,
        ROWS.replace("j < m", "j <= m") + "b[i][j] = 0;",
        "b[i][j] leaves its row: at i = 0, j = 1 it is b[0][1] of double b[n][m] (n = 1, m = 1)",
    ),
    "a row too many": (
        VARIABLE,
        ROWS + "b[i + 1][j] = 0;",
        "b[i + 1][j] leaves its array: "
        "at i = 0, j = 0 it is b[1][0] of double b[n][m] (n = 1, m = 1)",
    ),
    "inside of a halo": (
        VARIABLE,
        "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m; j++) b[i][j] = b[i - 1][j + 1];",
        "b[i - 1][j + 1] leaves its row: "
        "at i = 1, j = 1 it is b[0][2] of double b[n][m] (n = 3, m = 2)",
    ),
    "if a parameter is large": (
        VARIABLE,
        ROWS + "if (n > 5) b[i][j] = b[i][j - 1];",
        "b[i][j - 1] leaves its row: "
        "at i = 0, j = 0 it is b[0][-1] of double b[n][m] (n = 6, m = 1)",
    ),
    "in both branches": (
        "int n, double a[n], double *x",
        LOOP + "if (x[i] > 0) a[i + 1] = 1; else a[i + 1] = 2;",
        "a[i + 1] leaves its array: at i = 0 it is a[1] of double a[n] (n = 1)",
    ),
    "the middle of three": (
        "int n, int m, int p, double b[n][m][p]",
        ROWS + "for (int k = 0; k < p; k++) b[i][j][k] = b[i][j - 1][k];",
        "b[i][j - 1][k] leaves its row: at i = 0, j = 0, k = 0 "
        "it is b[0][-1][0] of double b[n][m][p] (n = 1, m = 1, p = 1)",
    ),
    "rows behind a pointer": (
        "int n, double (*b)[n]",
        LOOP + "b[i][n] = 0;",
        "b[i][n] leaves its row: at i = 0 it is b[0][1] of double b[][n] (n = 1)",
    ),
    "a row of an open array": (
        "int n, int p, double b[][100]",
        "for (int j = 0; j < 100; j++) b[p][j + 1] = 0;",
        "b[p][j + 1] leaves its row: at j = 99 it is b[0][100] of double b[][100] (p = 0)",
    ),
    "backwards": (
        TEN,
        "for (int i = 9; i >= 0; i -= 3) a[i - 2] = 0;",
        "a[i - 2] leaves its array: at i = 0 it is a[-2] of double a[10]",
    ),
    "no loop": (TEN, "a[10] = 0;", "a[10] leaves its array: it is a[10] of double a[10]"),
    "a pointer that has moved": (
        TEN,
        "double *p = a + 1; for (int i = 0; i < 10; i++) p[i] = 0;",
        "p[i] leaves its array: at i = 9 it is a[10] of double a[10]",
    ),
    "an unsigned subscript": (
        "double a[10]",
        "for (unsigned i = 0; i < 10; i++) a[i - 1] = 0;",
        "a[i - 1] leaves its array: at i = 0 it is a[4294967295] of double a[10]",
    ),
    "the end of a string": (
        "char *out",
        "char s[4]; for (int i = 0; i <= 4; i++) s[i] = i; out[0] = s[0];",
        "s[i] leaves its array: at i = 4 it is s[4] of char s[4]",
    ),
    "a member": (
        "struct grid { int rows; double d[8][8]; } *g",
        "for (int i = 0; i < g->rows; i++) g->d[i][8] = 0;",
        "g->d[i][8] leaves its row: at i = 0 it is g[0].d[0][8] of double d[8][8] (g->rows = 1)",
    ),
    "a struct": (
        "struct point { double x, y; } s[10]",
        "for (int i = 0; i < 10; i++) s[i] = s[i + 1];",
        "s[i + 1] leaves its array: at i = 9 it is s[10] of struct point s[10]",
    ),
    "the test of a loop that data ends": (
        "int n, double a[n], double *x",
        "while (x[1] < a[n]) x[1] = x[1] + 1;",
        "a[n] leaves its array: it is a[1] of double a[n] (n = 1)",
    ),
}


@pytest.mark.parametrize("case", CERTAIN)
def test_what_certainly_leaves_is_told_with_an_instance(case: str) -> None:
    parameters, body, message = CERTAIN[case]
    scop = model_of(body, parameters)
    assert set(told(scop)) == {message}
    assert scop.undefined is not None
    assert "stays within" not in reasons(scop)


@pytest.mark.parametrize("case", CERTAIN)
def test_what_certainly_leaves_narrows_no_context(case: str) -> None:
    parameters, body, _ = CERTAIN[case]
    scop = model_of(body, parameters)
    runs = [each.domain.params() for each in scop.statements if not each.is_kill]
    assert not any((each & scop.context).is_empty() for each in runs)


PERHAPS = {
    "behind a test of the iterator": (VARIABLE, ROWS + "if (j > 0) b[i][j] = b[i][j - 1];"),
    "behind a test of data": (VARIABLE, ROWS + "if (b[i][j] > 0) b[i][j - 1] = 0;"),
    "in one branch": (VARIABLE, ROWS + "if (b[i][j] > 0) b[i][j - 1] = 0; else b[i][j] = 1;"),
    "chosen by a value": (VARIABLE, ROWS + "b[i][j] = j > 0 ? b[i][j - 1] : 0;"),
    "behind a short circuit": (VARIABLE, ROWS + "if (j > 0 && b[i][j - 1] > 0) b[i][j] = 0;"),
    "in a loop that may not run": (
        "int n, double a[n], double *x",
        "while (x[0] > 0) x[0] = x[0] - a[n];",
    ),
    "after a loop was perhaps left": (
        "int n, double a[n]",
        LOOP + "{ if (a[i] > 0) break; a[i + 1] = 0; }",
    ),
    "for some sizes": (TEN, LOOP + "a[i + 1] = 0;"),
    "for some sizes of both": ("int n, int m, double a[m]", LOOP + "a[i] = 0;"),
    "for odd sizes": ("int n, double a[n]", "for (int i = 0; i < n; i += 2) a[i] = a[i + 1];"),
    "inside of a halo": (
        VARIABLE,
        "for (int i = 1; i < n; i++) for (int j = 1; j < m - 1; j++) b[i][j] = b[i - 1][j + 1];",
    ),
    "the rows of an open array": ("int n, double b[][9]", LOOP + "b[i][0] = b[i - 1][0];"),
    "rows behind pointers": ("int n, double **b", LOOP + "b[i][0] = b[i][-1];"),
    "a vector as a matrix": (
        "int n, int m, double *f",
        ROWS + "f[i * m + j] = f[i * m + j - 1];",
    ),
    "a row's pointer, which may be meant to go on": (
        VARIABLE,
        LOOP + "{ double *r = b[i]; for (int j = 0; j < m; j++) r[j] = r[j + 1]; }",
    ),
    "a last member that goes on": (
        "int n, struct list { int length; double x[1]; } *s",
        LOOP + "s->x[i + 1] = 0;",
    ),
    "a last member without a size": (
        "int n, struct list { int length; double x[]; } *s",
        LOOP + "s->x[i] = 0;",
    ),
    "a last member of size zero": (
        "int n, struct list { int length; double x[0]; } *s",
        LOOP + "s->x[i] = 0;",
    ),
    "a loop that never runs": (TEN, "for (int i = 5; i < 5; i++) a[i - 9] = 0;"),
    "an array of one element": ("int n, double a[1]", LOOP + "a[i] = 0;"),
}


@pytest.mark.parametrize("case", PERHAPS)
def test_what_does_not_certainly_leave_is_not_told(case: str) -> None:
    parameters, body = PERHAPS[case]
    scop = model_of(body, parameters)
    assert not told(scop)
    assert scop.undefined is None


def test_what_only_some_sizes_allow_is_assumed() -> None:
    scop = model_of(LOOP + "a[i + 1] = 0;", TEN)
    expect(scop, context="[n] -> { : n < 10 }")
    assert "a[i + 1] stays within a" in reasons(scop)


def test_the_users_context_may_make_it_certain() -> None:
    program = kernel(LOOP + "a[i + 5] = 0;", TEN)
    assert not told(scop_of(program))
    (message,) = told(scop_of(program, context="[n] -> { : n >= 8 }"))
    assert message.endswith("at i = 5 it is a[10] of double a[10] (n = 8)")
    assert not told(scop_of(program, context="[n] -> { : n <= 0 }"))


def test_two_references_may_leave_no_sizes_together() -> None:
    parameters = "int n, double *restrict x, double a[10], double c[10]"
    assert not told(model_of(LOOP + "x[i] = a[i + 5];", parameters))
    assert not told(model_of(LOOP + "x[i] = c[n - 6];", parameters))
    (message,) = told(model_of(LOOP + "x[i] = c[n - 6] + a[i + 5];", parameters))
    assert message == "a[i + 5] leaves its array: at i = 5 it is a[10] of double a[10] (n = 6)"


def test_a_row_of_one_element_is_no_way_out() -> None:
    """Where ``m`` is one, the last element of the row before is its only one."""
    rows = ROWS.replace("i = 0", "i = 1")
    scop = model_of(rows + "b[i][j] = b[i - 1][j + m - 1];", VARIABLE)
    (note,) = scop.notes
    assert note.message == (
        "b[i - 1][j + m - 1] leaves its row: "
        "at i = 1, j = 1 it is b[0][2] of double b[n][m] (n = 2, m = 2)"
    )
    assert note.hint.startswith("it does so unless a size is one")


def test_each_reference_is_told_once() -> None:
    scop = model_of(ROWS + "b[i][j - 1] = b[i][j - 1] + b[i][j + 1];", VARIABLE)
    assert len(told(scop)) == 3
    assert len({note.span.start for note in scop.notes}) == 3
    record = "struct point { double x, y; } s[10]"
    assert len(told(model_of("s[0] = s[10];", record))) == 1


def test_a_reference_that_leaves_may_touch_any_element() -> None:
    scop = model_of(ROWS + "b[i][j - 1] = 0;", VARIABLE)
    (access,) = scop.statement("S0").accesses
    same(
        access.may.intersect_domain(scop.statement("S0").domain),
        "[n, m] -> { S0[i, j] -> b[x, y] : "
        "0 <= i < n and 0 <= j < m and 0 <= x < n and 0 <= y < m }",
    )
    assert access.must.is_empty()
