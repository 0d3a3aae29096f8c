"""Memory under several names: what must be refused, widened, or kept alive."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import InputError, dump_model, load_model

from .expectations import kernel, model_of, same, scop_of

LOOP = "for (int i = 0; i < n; i++) "


def refused(code: str, body: str, parameters: str = "int n, double *A", **around: str) -> None:
    with pytest.raises(InputError, match=code):
        model_of(body, parameters, **around)


def killed(scop: object) -> set[str]:
    statements = scop.statements  # type: ignore[attr-defined]
    return {access.array for each in statements for access in each.accesses if access.kills}


# --- what a pointer points to does not die with it ------------------------------------------------


def test_what_a_struct_points_to_outlives_the_struct() -> None:
    prelude = "struct vector { double *at; int size; };"
    scop = model_of(
        "for (int i = 0; i < x.size; i++) x.at[i] = 1;", "struct vector x", prelude=prelude
    )
    assert scop.array("x_at").is_live_out
    assert "x_at" not in killed(scop)


def test_what_an_array_of_pointers_points_to_outlives_the_array() -> None:
    scop = model_of(LOOP + "r[0][i] = 1;", before="double *r[2] = {A, 0};")
    assert scop.array("r").is_live_out
    assert not killed(scop)


def test_an_address_kept_by_a_call_in_the_region_keeps_the_variable_alive() -> None:
    prelude = "double *saved; static void keep(double *p) { saved = p; }"
    scop = model_of(
        "keep(t); " + LOOP + "t[i] = i;", "int n", prelude=prelude, before="double t[9];"
    )
    assert scop.array("t").is_live_out


# --- one name, one array --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prelude", "body"),
    [
        ("double *cur, *nxt; static void swap(void) { double *t = cur; cur = nxt; nxt = t; }",
         LOOP + "{ nxt[i] = cur[i]; swap(); }"),
        ("static void swap(double **a, double **b) { double *t = *a; *a = *b; *b = t; }",
         LOOP + "{ A[i] = B[i]; swap(&A, &B); }"),
        ("void move(double **a);", LOOP + "{ A[i] = 1; move(&A); }"),
        ("struct vector { double *at; };",
         LOOP + "{ struct vector v = { A }; v.at[i] = 1; }"),
        ("struct vector { double *at; } *v, *w;", LOOP + "{ v->at[i] = 1; *v = *w; }"),
    ],
    ids=["globals", "addresses", "unknown", "initialiser", "copy"],
)  # fmt: skip
def test_a_pointer_that_changes_is_refused(prelude: str, body: str) -> None:
    refused("LW20[56]", body, "int n, double *A, double *B", prelude=prelude)


@pytest.mark.parametrize(
    ("prelude", "before", "body"),
    [
        ("double buf[20], *p = buf + 1;", "", LOOP + "p[i] = buf[i] + 1;"),
        ("double buf[20], *p; void set(void) { p = buf; }", "", LOOP + "p[i] = buf[i] + 1;"),
        ("struct pair { double *d, *e; };", "struct pair x; x.d = A; x.e = A + 1;",
         LOOP + "x.d[i] = x.e[i];"),
        ("double buf[20]; static void put(int i) { buf[i] = 1; }", "double *p = buf;",
         LOOP + "{ put(i); A[i] = p[i]; }"),
        ("struct pair { int n; double *d, *e; };", "struct pair x = {5, A, A};",
         LOOP + "x.d[i] = x.e[i];"),
        ("struct pair { double *d, *e; };", "struct pair x = {A}, y = x;",
         LOOP + "x.d[i] = y.d[i];"),
        ("struct pair { double *d, *e; } *v;", "double *d = v->d;", LOOP + "d[i] = v->d[i + 1];"),
    ],
    ids=["global", "another function", "members", "callee", "initialiser", "copy", "loaded"],
)  # fmt: skip
def test_two_names_for_the_same_memory_are_refused(prelude: str, before: str, body: str) -> None:
    refused("LW206", body, prelude=prelude, before=before)


def test_pointers_loaded_from_different_members_are_said_not_to_overlap() -> None:
    scop = model_of(
        LOOP + "e[i] = 2 * d[i];",
        "struct pair *v",
        prelude="struct pair { int n; double *d, *e; };",
        before="int n = v->n; double *d = v->d; double *e = v->e;",
    )
    assert "the arrays e, d do not overlap" in [each.reason for each in scop.assumptions]


def test_pointers_in_a_struct_are_said_not_to_overlap() -> None:
    prelude = "struct pair { int n; double *d, *e; };"
    scop = model_of(LOOP + "v->d[i] = v->e[i];", "int n, struct pair *v", prelude=prelude)
    assert "the arrays v, v.d, v.e do not overlap" in [each.reason for each in scop.assumptions]


def test_a_global_pointer_that_one_callee_sets_and_another_uses_is_refused() -> None:
    prelude = """static double *kept; static void keep(double *p) { kept = p; }
      static void use(int i) { kept[i] = 7; }"""
    refused("LW205", "keep(A); " + LOOP + "{ use(i); A[i] = 1; }", prelude=prelude)


def test_a_global_array_and_a_pointer_are_said_not_to_overlap() -> None:
    scop = model_of(LOOP + "A[i] = table[i];", prelude="double table[9];")
    assert "the arrays A, table do not overlap" in [each.reason for each in scop.assumptions]


# --- rows -----------------------------------------------------------------------------------------


def test_a_callee_that_sees_other_rows_may_touch_anything() -> None:
    prelude = """static void zero(int n, double M[n][n]) {
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) M[i][j] = 0; }"""
    scop = model_of("zero(n, B);", "int n, double B[10][10]", prelude=prelude)
    same(scop.must_writes(), "{ }")
    expected = "{ S0[] -> B[x, y] : 0 <= x < 10 and 0 <= y < 10 }"
    same(scop.may_writes().intersect_range(scop.array("B").elements().to_union_set()), expected)


def test_a_callee_that_sees_the_same_rows_is_followed() -> None:
    prelude = """static void zero(int n, double M[n][n]) {
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) M[i][j] = 0; }"""
    scop = model_of("zero(n, B);", "int n, double B[n][n]", prelude=prelude)
    same(scop.must_writes(), "[n] -> { S0[] -> B[x, y] : 0 <= x < n and 0 <= y < n }")


def test_a_pointer_with_other_rows_is_refused() -> None:
    refused("LW211", "double (*B)[m] = C; B[0][0] = 1;", "int m, double C[6][10]")


@pytest.mark.parametrize(
    "body", ["double *p = C[0]; " + LOOP + "p[i] = 1;", LOOP + "{ double *p = C[0]; p[i] = 1; }"]
)
def test_a_pointer_that_may_leave_its_row_may_touch_any_row(body: str) -> None:
    scop = model_of(body, "int n, double C[6][10]")
    same(scop.must_writes(), "{ }")
    assert (
        not scop.may_writes().intersect_range(scop.array("C").elements().to_union_set()).is_empty()
    )
    (write,) = [each for each in scop.statements[-1].accesses if each.writes]
    assert write.may.range().is_equal(scop.array("C").elements())


def test_a_pointer_that_stays_in_its_row_is_exact() -> None:
    body = (
        "for (int i = 0; i < 6; i++) { double *p = C[i]; for (int j = 0; j < 10; j++) p[j] = 1; }"
    )
    scop = model_of(body, "double C[6][10]")
    same(scop.must_writes(), "{ S0[i, j] -> C[i, j] : 0 <= i < 6 and 0 <= j < 10 }")


def test_interleaved_channels_are_rows_of_three_times_the_width() -> None:
    body = """for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) for (int c = 0; c < 3; c++)
      p[(y * w + x) * 3 + c] = 0;"""
    scop = model_of(body, "int h, int w, unsigned char *p")
    same(
        scop.must_writes(),
        """[h, w] -> { S0[y, x, c] -> p[y, 3x + c] :
           0 <= y < h and 0 <= x < w and 0 <= c < 3 }""",
    )
    assert not scop.notes


def test_the_offset_of_a_row_may_have_a_name() -> None:
    body = LOOP + "{ int row = i * m; for (int j = 0; j < m; j++) A[row + j] = row; }"
    scop = model_of(body, "int n, int m, double *A")
    same(
        scop.must_writes(),
        "[n, m] -> { S0[i, j] -> A[i, j] : 0 <= i < n and 0 <= j < m }",
    )


def test_an_unsigned_product_is_said_not_to_wrap() -> None:
    body = "for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++) A[i * m + j] = 0;"
    scop = model_of(body, "unsigned n, unsigned m, double *A")
    assert any(note.code == "LW301" and "i * m" in note.message for note in scop.notes)


# --- values that others can change ----------------------------------------------------------------


def test_a_callee_of_a_callee_is_followed() -> None:
    prelude = """static void row(int k, double *p) { for (int i = 0; i < k; i++) p[i] = 1; }
      static void all(int n, double *p) { for (int k = 0; k < n; k++) row(k, p); }"""
    scop = model_of("all(n, A);", prelude=prelude)
    same(scop.must_writes(), "[n] -> { S0[] -> A[x] : 0 <= x < n - 1 }")


def test_a_local_of_a_callee_that_another_one_sets_is_unknown() -> None:
    prelude = """static void get(int *k, int i) { *k = i + 1; }
      static void put(int i, double *p) { int k = 3; get(&k, i); p[k] = 1; }"""
    scop = model_of(LOOP + "put(i, A);", prelude=prelude)
    same(scop.must_writes(), "{ }")


def test_a_size_that_an_unknown_function_can_reach_is_no_parameter() -> None:
    prelude = "int *seen; void less(void);"
    scop = model_of(LOOP + "{ A[i] = 1; less(); }", prelude=prelude, before="seen = &n;")
    assert not scop.parameters


def test_a_size_that_a_callee_changes_by_another_name_is_refused() -> None:
    prelude = "int *seen; static void less(void) { (*seen)--; }"
    refused("LW206", LOOP + "{ A[i] = 1; less(); }", prelude=prelude, before="seen = &n;")


def test_an_iterator_that_others_can_reach_is_data() -> None:
    scop = model_of(
        "for (i = 0; i < n; i++) A[i] = 1;", before="int i, *seen = &i;", after="A[0] = *seen;"
    )
    assert "i" in {array.name for array in scop.arrays}


def test_reading_a_struct_through_a_callee_leaves_its_members_parameters() -> None:
    prelude = """struct matrix { int rows, cols; double *at; };
      static double get(const struct matrix *m, int i, int j) { return m->at[i * m->cols + j]; }"""
    body = """for (int i = 0; i < m->rows; i++) for (int j = 0; j < m->cols; j++)
      A[i] += get(m, i, j);"""
    scop = model_of(body, "struct matrix *m, double *A", prelude=prelude)
    assert [each.text for each in scop.parameters] == ["m->rows", "m->cols"]


@pytest.mark.parametrize("name", ["min", "mod", "floor", "exists", "NaN", "rat"])
def test_names_that_mean_something_to_isl(name: str) -> None:
    program = kernel(f"for (int i = 0; i < {name}; i++) A[i] = {name};", f"int {name}, double *A")
    scop = scop_of(program)
    assert [each.text for each in scop.parameters] == [name]
    (again,) = load_model(dump_model([scop]))
    assert again.domain.is_equal(scop.domain)


def test_pointers_of_a_header_are_declared_outside(tmp_path: Path) -> None:
    """Wherever they stand in it: offsets in two files say nothing about each other."""
    body = "for (int i = 0; i < n; i++) p[i] = q[i];"
    program = kernel(body, "int n, double *q", prelude='#include "p.h"')
    (tmp_path / "p.h").write_text("\n" * program.index(body) + "double *p;\n")
    scop = scop_of(program, include=[str(tmp_path)])
    assert "the arrays p, q do not overlap" in [each.reason for each in scop.assumptions]
