"""Pointers that change places between steps, and those that meet when they do."""

from __future__ import annotations

import pytest

from loopwright import InputError, optimize, read_c

from .expectations import scop_of

NEST = "for (int i = 0; i < n; i++) b[i] = a[i] + 1;"
SWAP = "double *s = a; a = b; b = s;"
GRID = "struct grid { int n; double *u, *v, *w; };\n"
MEMBERS = "for (int i = 0; i < n; i++) g->v[i] = g->u[i];"
EXCHANGE = "{ double *s = g->u; g->u = g->v; g->v = s; }"


def program(body: str, parameters: str = "double *a, double *b", before: str = "") -> str:
    return f"{before}\nvoid f(int n, int T, {parameters})\n{{\n{body}\n}}\n"


def steps(body: str) -> str:
    return f"for (int t = 0; t < T; t++) {{ {body} }}"


APART = {
    "plain": program(steps(NEST + SWAP)),
    "three": program(
        steps(NEST + "double *s = a; a = b; b = c; c = s;"), "double *a, double *b, double *c"
    ),
    "two rotations": program(
        steps(NEST + SWAP + "double *r = b; b = c; c = r;"), "double *a, double *b, double *c"
    ),
    "from arrays": program(
        "double *a = p, *b = q;" + steps(NEST + SWAP), "int m", "double p[9], q[9];"
    ),
    "new in each round": program(
        f"for (int o = 0; o < T; o++) {{ double *a = p, *b = q; {steps(NEST + SWAP)} }}",
        "double *p, double *q",
    ),
    "members": program(steps(MEMBERS + EXCHANGE), "struct grid *g", GRID),
    "structs": program(
        steps("for (int i = 0; i < n; i++) a.u[i] = b.u[i]; struct grid s = a; a = b; b = s;"),
        "struct grid a, struct grid b",
        GRID,
    ),
    "globals": program(
        steps(NEST + SWAP), "int m", "double p[9], q[9], *a = p, *b = q;"
    ),
    "a macro": program(
        steps(NEST + "SWAP(a, b);"),
        before="#define SWAP(x, y) do { double *t_ = x; x = y; y = t_; } while (0)",
    ),
    "under a condition": program(steps(NEST + f"if (t % 3) {{ {SWAP} }}")),
    "rows": program(
        steps(
            "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = a[i][j];"
            "double **s = a; a = b; b = s;"
        ),
        "double **a, double **b",
    ),
}  # fmt: skip

MEETING = {
    "set again in each round": program(
        f"double *a, *b = q; for (int o = 0; o < T; o++) {{ a = p; {steps(NEST + SWAP)} }}",
        "double *p, double *q",
    ),
    "declared again in each round": program(
        f"double *b = q; for (int o = 0; o < T; o++) {{ double *a = p; {steps(NEST + SWAP)} }}",
        "double *p, double *q",
    ),
    "set again afterwards": program(
        f"double *a = p, *b = q; {steps(SWAP)} a = p; {NEST}", "double *p, double *q"
    ),
    "brought back": program(f"double *k = a; {steps(SWAP)} a = k; {NEST}"),
    "from one array": program(
        "double *a = p, *b = p + 1;" + steps(NEST + SWAP), "double *p"
    ),
    "no rotation": program(steps(NEST + "double *s = a; a = b;")),
    "half a rotation": program(steps(NEST + "double *s = a; if (t) a = b; b = s;")),
    "with what it is kept in": program(
        "double *s = b;" + steps(NEST.replace("b[i]", "s[i]") + "s = a; a = b; b = s;")
    ),
    "with what was derived": program("double *r = a + 1;" + steps(NEST.replace("a", "r") + SWAP)),
    "with where they came from": program(
        "double *a = p, *b = q;" + steps(NEST.replace("a[", "p[") + SWAP),
        "int m",
        "double p[9], q[9];",
    ),
    "in each call": program(
        "a = p; b = q;" + steps(NEST + SWAP), "int m", "double p[9], q[9], *a, *b;"
    ),
    "set by another function": program(
        steps(NEST + SWAP),
        "int m",
        "double p[9], q[9], *a = p, *b = q; void g(void) { a = p; }",
    ),
    "members in each call": program(
        "g->u = g->w;" + steps(MEMBERS + EXCHANGE), "struct grid *g", GRID
    ),
    "a jump": program(
        f"double *a = p, *b = q; l: a = p; {NEST} {SWAP} if (T--) goto l;", "double *p, double *q"
    ),
    "two of three": program(
        steps(NEST + "double *s = a; a = b; b = c; c = b;"), "double *a, double *b, double *c"
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", APART.values(), ids=APART.keys())
def test_what_changes_places_stays_apart(text: str) -> None:
    scop_of(text, autodetect=True)


@pytest.mark.parametrize("text", MEETING.values(), ids=MEETING.keys())
def test_what_may_meet_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_c(text, autodetect=True)
    assert "LW206" in [each.code for each in caught.value.diagnostics]


def test_the_step_of_a_time_loop_is_rewritten_with_proof() -> None:
    step = """for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[j][i] = 0.25 * (a[j - 1][i] + a[j + 1][i] + a[j][i - 1] + a[j][i + 1]);"""
    text = program(
        steps(step + "double (*s)[n] = a; a = b; b = s;"), "double (*a)[n], double (*b)[n]"
    )
    result = optimize(text, autodetect=True)
    assert result.proof is not None
    assert "a = b; b = s;" in result.code


PARTS = """struct weights { int n; double *w; }; struct state { double *x, *y; };
struct model { struct weights weights; struct { struct state state; } inner; struct state other; };
"""


def of_parts(before: str, body: str) -> str:
    return program(before + body, "struct model *m", PARTS)


def test_members_of_a_struct_are_apart() -> None:
    before = "struct weights *w = &m->weights; struct state *s = &m->inner.state;"
    scop_of(of_parts(before, "for (int i = 0; i < n; i++) s->x[i] = w->w[i];"), autodetect=True)


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("struct state *s = &m->other;", "s->x[i] = m->other.y[i];"),
        ("struct state *s = &m->other; struct model *k = m;", "s->x[i] = k->other.y[i];"),
        ("struct state *s = &m->inner.state; struct state *r = s;", "s->x[i] = r->x[i];"),
        ("struct state *s = &m->other, *r = &m->other;", "s->x[i] = r->x[i];"),
    ],
    ids=["the whole", "another name of it", "the same part", "twice the same"],
)
def test_members_of_a_struct_are_not_apart_from_themselves(before: str, body: str) -> None:
    with pytest.raises(InputError) as caught:
        read_c(of_parts(before, f"for (int i = 0; i < n; i++) {body}"), autodetect=True)
    assert "LW206" in [each.code for each in caught.value.diagnostics]


def test_rows_through_members_leave_the_sizes_of_the_struct_parameters() -> None:
    text = """struct state { float *x, *key, *att; int dim, heads, n; };
    void f(struct state *s, int pos)
    {
      for (int h = 0; h < s->heads; h++) {
        float *q = s->x + h * s->dim, *att = s->att + h * s->n;
        for (int t = 0; t <= pos; t++) {
          const float *k = s->key + t * s->dim;
          float score = 0;
          for (int i = 0; i < s->dim; i++)
            score += q[i] * k[i];
          att[t] = score;
        }
      }
    }
    """
    scop = scop_of(text, autodetect=True)
    assert {each.text for each in scop.parameters} == {"s->heads", "s->dim", "s->n", "pos"}
    assert scop.array("s_att").rank == 3


def test_sizes_behind_a_pointer_of_the_region_are_no_parameters() -> None:
    text = """struct state { int *n; double *x; };
    void f(struct state *s)
    {
      for (int i = 0; i < s->n[0]; i++) { int *p = s->n; p[i] = 3; }
    }
    """
    try:
        scops = read_c(text, autodetect=True)
    except InputError:
        return
    assert all(not each.parameters for each in scops)


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("double *p = x; double *q = p;", "q[i] = x[i];"),
        ("double *p = y; double **pp = &p; *pp = x;", "p[i] = x[i];"),
        ("struct state s; struct state *t = &s; s.x = x;", "t->x[i] = x[i];"),
        ("double *p = n ? x : y; double *q = x;", "p[i] = q[i];"),
        ("double *p, *q; p = x; q = p; p = y;", "q[i] = x[i];"),
        ("double *r[2] = {x, y};", "r[0][i] = x[i];"),
    ],
    ids=["a chain", "by its address", "in a struct", "one of two", "in turn", "a list"],
)
def test_pointers_with_a_common_origin_may_meet(before: str, body: str) -> None:
    text = program(
        before + f"for (int i = 0; i < n; i++) {body}", "double *x, double *y", PARTS
    )  # fmt: skip
    with pytest.raises(InputError) as caught:
        read_c(text, autodetect=True)
    assert "LW206" in [each.code for each in caught.value.diagnostics]


def test_what_one_pointer_was_derived_from_does_not_meet_by_that() -> None:
    loop = "for (int i = 0; i < n; i++) x[i] = y[i];"
    scop_of(program("double *p = n ? x : y;" + loop + "p[0] = 1;", "double *x, double *y"),
            autodetect=True)  # fmt: skip
