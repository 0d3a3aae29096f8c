"""Calls of functions that read or set an element have the models of what those do."""

from __future__ import annotations

import pytest

from loopwright import Proof, read_c
from loopwright.model.bodies import Call, walk_body
from loopwright.model.scop import Scop
from tests.verify.answers import verdict

FRAME = """\
#include <math.h>
typedef struct {{ int rows, cols; double *data; double own[4]; }} M;
typedef struct {{ double x, y; }} P;
static double table[100];
static int ld;
int tick(void);
static int clamp(int x, int lo, int hi) {{ return x < lo ? lo : x > hi ? hi : x; }}
static inline double at(const M *m, int i, int j) {{ return m->data[i * m->cols + j]; }}
static inline void set(M *m, int i, int j, double v) {{ m->data[i * m->cols + j] = v; }}
static inline void add(double *a, int i, double v) {{ a[i] += v; }}
static inline double get(const double *a, int i) {{ return a[i]; }}
static inline double narrow(const double *a, unsigned char i) {{ return a[i]; }}
static inline float rounded(const double *a, int i) {{ return a[i]; }}
static inline int whole(const double *a, int i) {{ return a[i]; }}
static inline double looked_up(int i) {{ return table[i]; }}
static inline double leading(const double *a, int i) {{ return a[i * ld]; }}
static inline double bounded(const double *a, int n, int i) {{ return a[clamp(i, 0, n - 1)]; }}
static inline double square(const double *a, int i) {{ return a[i] * a[i]; }}
static inline double next(const double *a, int i) {{ return a[i + tick()]; }}
static inline void into(M m, int i, double v) {{ m.own[i] = v; }}
static inline void onto(M m, int i, double v) {{ *(m.own + i) = v; }}
static inline void upon(M m, double v) {{ *(&m.own[1]) = v; }}
static inline double *cell(M *m, int i) {{ return &m->data[i]; }}
static inline double open(const double a[], int i) {{ return a[i]; }}
static double grid[9][9];
static inline double of_grid(double (*a)[9], int i, int j) {{ return a[i][j]; }}
static inline void to_grid(double a[9][9], int i, int j) {{ a[i][j] = 1; }}
static inline double row(int n, double a[n][n], int i) {{ return a[i][1]; }}
static inline void through(M m, int i, double v) {{ m.data[i] = v; }}
static inline double norm(P p) {{ return p.x > p.y ? p.x : p.y; }}
static inline void both(double *a, int i) {{ a[i] = 1; a[i + 1] = 2; }}
static inline double counted(const double *a, int i) {{ static int n; n++; return a[i]; }}
static const double *kept;
static double total;
static inline void put(double v) {{ total = v; }}
static double plain(const double *a, int i) {{ return a[i]; }}
double shared(const double *a, int i) {{ return a[i]; }}
static inline void keep(const double *a) {{ kept = a; }}
void f(int n, const M *m, M *o, double *restrict x, const double *restrict y, float w, P *p) {{
{before}
#pragma scop
  for (int i = 0; i < n; i++) {{ {text} }}
#pragma endscop
}}
{after}
"""


def program(text: str, before: str = "", after: str = "") -> str:
    return FRAME.format(text=text, before=before, after=after)


def model(text: str, before: str = "") -> Scop:
    (found,) = read_c(program(text, before))
    return found


def accesses(scop: Scop) -> list[tuple[str, bool, bool, str]]:
    return [
        (one.array, one.reads, one.writes, str(one.may))
        for each in scop.statements
        for one in each.accesses
    ]


def calls(scop: Scop) -> set[str]:
    return {
        one.function
        for each in scop.statements
        for one in walk_body(each.body)
        if isinstance(one, Call)
    }


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("x[i] = get(y, i + 1);", "x[i] = y[i + 1];"),
        ("x[i] = 2 * get(&y[1], i);", "x[i] = 2 * (&y[1])[i];"),
        ("x[i] = looked_up(i);", "x[i] = table[i];"),
        ("add(x, i, y[i]);", "x[i] += y[i];"),
        ("add(x, i, 1);", "x[i] += (double)1;"),
        ("x[i] = at(m, 1, i);", "x[i] = m->data[1 * m->cols + i];"),
        ("set(o, 1, i, exp(y[i]));", "o->data[1 * o->cols + i] = exp(y[i]);"),
        ("x[i] = leading(y, i);", "x[i] = y[i * ld];"),
        ("x[i] = bounded(y, n, i - 1);", "x[i] = y[clamp(i - 1, 0, n - 1)];"),
        ("x[i] = rounded(y, i);", "x[i] = (float)y[i];"),
        ("x[i] = shared(y, i);", "x[i] = y[i];"),
        ("x[i] = open(y, i);", "x[i] = y[i];"),
        ("x[i] = of_grid(grid, i, 1);", "x[i] = grid[i][1];"),
        ("to_grid(grid, i, 1);", "grid[i][1] = 1;"),
        ("*cell(o, i) = 1;", "*(&o->data[i]) = 1;"),
        ("through(*m, i, 1);", "(*m).data[i] = (double)1;"),
        ("x[i] = whole(y, i);", "x[i] = (int)y[i];"),
        ("x[i] = get(y, get(y, i) > 0);", "x[i] = y[y[i] > 0];"),
    ],
)
def test_written_out(text: str, same: str) -> None:
    one, other = model(text), model(same)
    assert accesses(one) == accesses(other)
    assert [each.body for each in one.statements] == [each.body for each in other.statements]
    assert calls(one) == calls(other)
    if "cols" in same or "ld" in same:
        return  # neither is proved to be itself: the sizes may be anything
    assert isinstance(verdict(program(text), program(same)), Proof)
    assert isinstance(verdict(program(same), program(text)), Proof)


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("x[i] = looked_up(i);", "double table[100];"),
        ("x[i] = leading(y, i);", "int ld = 3;"),
        ("x[i] = leading(y, i);", "{ typedef int ld; }"),
        ("x[i] = bounded(y, n, i);", "int clamp = 3;"),
        ("x[i] = square(y, i);", ""),
        ("x[i] = next(y, i);", ""),
        ("x[i] = get(y, tick());", ""),
        ("add(x, i, y[i] * y[i]);", ""),
        ("into(*m, 1, y[i]);", ""),
        ("onto(*m, 1, y[i]);", ""),
        ("upon(*m, y[i]);", ""),
        ("both(x, i);", ""),
        ("x[i] = row(9, grid, i);", ""),
        ("keep(y); x[i] = 0;", ""),
        ("put(y[i]);", ""),
        ("x[i] = plain(y, i);", ""),
        ("x[i] = counted(y, i);", ""),
    ],
)
def test_left_as_calls(text: str, before: str) -> None:
    assert text.replace("x[i] = ", "").partition("(")[0] in calls(model(text, before))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("x[i] = narrow(y, i);", "x[i] = y[i];"),
        ("x[i] = rounded(y, i);", "x[i] = y[i];"),
        ("x[i] = whole(y, i);", "x[i] = y[i];"),
        ("x[i] = looked_up(i);", "x[i] = get(y, i);"),
        ("add(x, i, 1);", "x[i] = 1;"),
        ("x[i] = bounded(y, n, i - 1);", "x[i] = y[i > 0 ? i - 1 : 0] + 0;"),
        ("into(*m, 1, y[i]);", "o->own[1] = y[i];"),
        ("add(x, i, w);", "x[i] += y[i];"),
    ],
)
def test_what_it_is_not(text: str, other: str) -> None:
    assert not isinstance(verdict(program(text), program(other)), Proof)


def test_a_name_that_the_caller_uses_for_something_else() -> None:
    one = program("x[i] = looked_up(i);", "double table[100] = {1};")
    other = program("x[i] = table[i];", "double table[100] = {1};")
    assert not isinstance(verdict(one, other), Proof)


def test_functions_that_call_each_other() -> None:
    text = """\
static inline double g(const double *a, int i);
static inline double h(const double *a, int i) { return a[(int)g(a, i)]; }
static inline double g(const double *a, int i) { return a[(int)h(a, i)]; }
void f(int n, const double *restrict a, double *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = a[i] + h(a, i);
#pragma endscop
}
"""
    (found,) = read_c(text)
    assert calls(found) & {"g", "h"}


def test_a_function_that_is_declared_by_a_typedef() -> None:
    text = """\
typedef double F(const double *, int);
double get(const double *a, int i) { return a[i]; }
void f(int n, const double *restrict a, double *restrict b) {
  F get;
#pragma scop
  for (int i = 0; i < n; i++) b[i] = get(a, i);
#pragma endscop
}
"""
    (found,) = read_c(text)
    assert calls(found) <= {"get"}
