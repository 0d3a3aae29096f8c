"""Scalars, arrays, pointers, structs: which elements a statement touches."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright import InputError

from .expectations import expect, model_of, reasons, restricted, same

LOOP = "for (int i = 0; i < n; i++) "
NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) "
ROWS = "0 <= i < n"
BOX = "0 <= i < n and 0 <= j < m"


# --- shapes ----------


def test_scalars_have_no_subscripts() -> None:
    scop = model_of(
        LOOP + "s = s + x * A[i];",
        "int n, double *A, double x",
        before="double s = 0;",
        after="A[0] = s;",
    )
    expect(
        scop,
        reads=f"[n] -> {{ S0[i] -> s[] : {ROWS}; S0[i] -> x[] : {ROWS}; S0[i] -> A[i] : {ROWS} }}",
        writes=f"[n] -> {{ S0[i] -> s[] : {ROWS} }}",
    )
    assert scop.array("s").rank == 0
    assert scop.array("s").element_type == "double"


def test_arrays_of_constant_size() -> None:
    scop = model_of("for (int i = 0; i < 3; i++) A[i][2 * i] = B[i];", "float A[3][5], int B[4]")
    expect(
        scop,
        reads="{ S0[i] -> B[i] : 0 <= i < 3 }",
        writes="{ S0[i] -> A[i, 2i] : 0 <= i < 3 }",
        context="{ : }",
    )
    same(scop.array("A").elements(), "{ A[x, y] : 0 <= x < 3 and 0 <= y < 5 }")
    assert scop.array("A").element_type == "float"
    assert scop.array("B").element_type == "int"


def test_arrays_of_variable_size() -> None:
    scop = model_of(NEST + "A[i][j] = B[j][i];", "int n, int m, double A[n][m], double B[m][n]")
    expect(
        scop,
        reads=f"[n, m] -> {{ S0[i, j] -> B[j, i] : {BOX} }}",
        writes=f"[n, m] -> {{ S0[i, j] -> A[i, j] : {BOX} }}",
        context="[n, m] -> { : n >= 1 and m >= 1 }",
    )
    same(scop.array("A").elements(), "[n, m] -> { A[x, y] : 0 <= x < n and 0 <= y < m }")
    same(scop.array("B").elements(), "[n, m] -> { B[x, y] : 0 <= x < m and 0 <= y < n }")


def test_three_dimensions_of_different_kinds_keep_their_order() -> None:
    scop = model_of("A[0][0][0] = 1;", "int n, int m, double A[n][7][2 * m + 1]")
    expected = "[n, m] -> { A[x, y, z] : 0 <= x < n and 0 <= y < 7 and 0 <= z <= 2m }"
    same(scop.array("A").elements(), expected)
    expect(scop, context="[n, m] -> { : n >= 1 and m >= 0 }")


def test_restrict_static_extents() -> None:
    parameters = "int n, int m, double A[restrict static n][m], double B[const restrict static 4]"
    scop = model_of(NEST + "A[i][j] = B[0];", parameters)
    expect(scop, writes=f"[n, m] -> {{ S0[i, j] -> A[i, j] : {BOX} }}")
    same(scop.array("A").elements(), "[n, m] -> { A[x, y] : 0 <= x < n and 0 <= y < m }")
    same(scop.array("B").elements(), "{ B[x] : 0 <= x < 4 }")


def test_pointers_to_rows() -> None:
    scop = model_of(NEST + "A[i][j] = 0;", "int n, int m, double (*A)[m]")
    expect(
        scop,
        writes=f"[n, m] -> {{ S0[i, j] -> A[i, j] : {BOX} }}",
        context="[n, m] -> { : m >= 1 }",
    )
    assert scop.array("A").extents[0] is None
    same(scop.array("A").elements(), "[m] -> { A[x, y] : 0 <= y < m }")


def test_local_variable_length_arrays_before_the_region() -> None:
    scop = model_of(LOOP + "T[i + 1] = A[i];", before="double T[n + 1];", after="A[0] = T[1];")
    expect(scop, writes=f"[n] -> {{ S0[i] -> T[i + 1] : {ROWS} }}")
    same(scop.array("T").elements(), "[n] -> { T[x] : 0 <= x <= n }")


def test_typedefs_and_attributes_do_not_matter() -> None:
    prelude = "typedef double real; typedef real row[8]; typedef long index;"
    scop = model_of("for (index i = 0; i < 8; i++) A[i][i] = 0;", "row *A", prelude=prelude)
    expect(scop, writes="{ S0[i] -> A[i, i] : 0 <= i < 8 }", context="{ : }")


@pytest.mark.parametrize("change", ["n = n - 1;", "n--;", "n += 2;", "scale(&n);"])
def test_an_extent_is_that_of_the_declaration(change: str) -> None:
    """The region sees another ``n`` than the declaration of ``A`` did."""
    scop = model_of(
        "for (int i = 0; i < m; i++) A[i] = 0;",
        "int n, int m, double A[n]",
        before=change,
        prelude="void scale(int *);",
    )
    expect(scop, instances="[m] -> { S0[i] : 0 <= i < m }")
    assert not scop.context.intersect(isl.Set("[n, m] -> { : n = 5 and m = 6 }")).is_empty()


# --- pointers ----------


@pytest.mark.parametrize(
    ("reference", "element"),
    [
        ("A[i]", "A[i]"),
        ("*(A + i)", "A[i]"),
        ("*(i + A)", "A[i]"),
        ("i[A]", "A[i]"),
        ("(A + 3)[i]", "A[i + 3]"),
        ("*(A + i - 2)", "A[i - 2]"),
        ("*&A[i]", "A[i]"),
        ("(&A[i])[1]", "A[i + 1]"),
        ("*A", "A[0]"),
        ("A[0]", "A[0]"),
        ("(A)[(i)]", "A[i]"),
    ],
)
def test_ways_to_name_an_element(reference: str, element: str) -> None:
    scop = model_of(LOOP + f"{reference} = 1;")
    expect(scop, writes=f"[n] -> {{ S0[i] -> {element} : {ROWS} }}", reads="{ }", context="{ : }")


@pytest.mark.parametrize(
    ("reference", "element"),
    [
        ("A[i][j]", "A[i, j]"),
        ("*(A[i] + j)", "A[i, j]"),
        ("*(*(A + i) + j)", "A[i, j]"),
        ("(*(A + i))[j]", "A[i, j]"),
        ("(&A[i])[0][j]", "A[i, j]"),
        ("*&A[i][j]", "A[i, j]"),
        ("(A + 1)[i][j]", "A[i + 1, j]"),
    ],
)
def test_ways_to_name_an_element_of_a_row(reference: str, element: str) -> None:
    scop = model_of(NEST + f"{reference} = 1;", "int n, int m, double (*A)[m]")
    expect(scop, writes=f"[n, m] -> {{ S0[i, j] -> {element} : {BOX} }}")


def test_a_row_pointer_inside_the_region() -> None:
    body = LOOP + "{ double *row = A[i]; for (int j = 0; j < m; j++) row[j] = j; }"
    scop = model_of(body, "int n, int m, double A[n][m]")
    expect(scop, writes=f"[n, m] -> {{ S0[i, j] -> A[i, j] : {BOX} }}", reads="{ }")
    assert [array.name for array in scop.arrays] == ["A"]


def test_a_pointer_into_the_middle_of_a_row() -> None:
    body = "for (int i = 1; i < 9; i++) { double *p = &A[i][2]; p[1] = *p + p[-1]; }"
    scop = model_of(body, "double A[9][9]")
    expect(
        scop,
        writes="{ S0[i] -> A[i, 3] : 1 <= i < 9 }",
        reads="{ S0[i] -> A[i, x] : 1 <= i < 9 and 1 <= x <= 2 }",
    )


def test_a_pointer_to_a_pointer_to_a_row() -> None:
    body = "for (int i = 0; i < 9; i++) { double *p = A[i]; double *q = p + 1; q[i - 1] = 0; }"
    expect(model_of(body, "double A[9][9]"), writes="{ S0[i] -> A[i, i] : 0 <= i < 9 }")


def test_a_pointer_set_before_the_region_is_an_array_of_its_own() -> None:
    scop = model_of(LOOP + "p[i] = 0;", before="double *p = A + 4;")
    expect(scop, writes=f"[n] -> {{ S0[i] -> p[i] : {ROWS} }}")
    assert scop.array("p").is_live_out


def test_pointers_to_pointers_are_told_to_be_distinct() -> None:
    """C does not keep the rows of a ``double **`` apart: the model must say that it does."""
    scop = model_of(NEST + "A[i][j] = 0;", "int n, int m, double **A")
    assert "A" in reasons(scop)
    assert restricted(scop.may_writes(), "A").is_empty() is False


def test_arrays_that_may_overlap_are_assumed_not_to() -> None:
    scop = model_of(LOOP + "A[i] = B[i];", "int n, double *A, double *B")
    assert "A, B do not overlap" in reasons(scop)


def test_restrict_needs_no_assumption() -> None:
    scop = model_of(LOOP + "A[i] = B[i];", "int n, double *restrict A, double *restrict B")
    assert reasons(scop) == ""


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("double *B = A;", "B[i] = A[i];"),
        ("double *B = A + n;", "B[i] = A[i];"),
        ("double *B; B = &A[3];", "B[i] = A[i];"),
        ("double *C = A; double *B = C + 1;", "B[i] = A[i];"),
        ("double *B = n > 3 ? A : 0;", "B[i] = A[i];"),
        ("double T[9]; double *B = T;", "B[i] = T[i];"),
        ("double s; double *B = &s;", "B[0] = s;"),
        ("struct { double *p; } t; t.p = A;", "t.p[i] = A[i];"),
        ("struct { double *p; } t = { A };", "t.p[i] = A[i];"),
        ("double *B[2]; B[0] = A;", "B[0][i] = A[i];"),
    ],
)
def test_two_names_for_the_same_memory_are_refused(before: str, body: str) -> None:
    with pytest.raises(InputError, match=r"LW20[67]"):
        model_of(LOOP + body, before=before)


# --- linearised subscripts ----------


@pytest.mark.parametrize("subscript", ["i * m + j", "j + m * i", "(i * m) + j", "m * i + j"])
def test_two_linearised_dimensions(subscript: str) -> None:
    scop = model_of(NEST + f"A[{subscript}] = 0;", "int n, int m, double *A")
    expect(scop, writes=f"[n, m] -> {{ S0[i, j] -> A[i, j] : {BOX} }}", context="{ : }")
    same(scop.array("A").elements(), "[m] -> { A[x, y] : 0 <= y < m }")


def test_the_pointer_form_of_a_linearised_subscript() -> None:
    scop = model_of(NEST + "*(A + i * m + j) = 0;", "int n, int m, double *A")
    expect(scop, writes=f"[n, m] -> {{ S0[i, j] -> A[i, j] : {BOX} }}", context="{ : }")


def test_a_row_pointer_into_a_linearised_array() -> None:
    body = LOOP + "{ double *r = A + i * m; for (int j = 0; j < m; j++) r[j] = 0; }"
    scop = model_of(body, "int n, int m, double *A")
    expect(scop, writes=f"[n, m] -> {{ S0[i, j] -> A[i, j] : {BOX} }}")


@pytest.mark.parametrize("subscript", ["(i * m + j) * l + k", "i * m * l + j * l + k"])
def test_three_linearised_dimensions(subscript: str) -> None:
    body = NEST + f"for (int k = 0; k < l; k++) A[{subscript}] = 0;"
    scop = model_of(body, "int n, int m, int l, double *A")
    expected = f"[n, m, l] -> {{ S0[i, j, k] -> A[i, j, k] : {BOX} and 0 <= k < l }}"
    expect(scop, writes=expected, context="{ : }")


def test_what_delinearisation_needs_is_in_the_context() -> None:
    """``A[i*m + j]`` with ``j < p`` stays in its row only if ``p <= m``.

    Or if nothing runs; then it does not matter which loops do so, and one case is simpler than
    three.
    """
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < p; j++) A[i * m + j] = 0;"
    scop = model_of(body, "int n, int m, int p, double *A")
    expect(
        scop,
        writes="[n, m, p] -> { S0[i, j] -> A[i, j] : 0 <= i < n and 0 <= j < p }",
        context="[n, m, p] -> { : p <= m }",
    )
    assert "rows of m" in reasons(scop)


def test_a_stencil_in_a_linearised_array() -> None:
    body = """for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)
      B[i * m + j] = A[(i - 1) * m + j] + A[i * m + j - 1]
        + A[i * m + j + 1] + A[(i + 1) * m + j];"""
    scop = model_of(body, "int n, int m, double *A, double *B")
    inner = "1 <= i < n - 1 and 1 <= j < m - 1"
    near = "((x = i and (y = j - 1 or y = j + 1)) or (y = j and (x = i - 1 or x = i + 1)))"
    expect(
        scop,
        reads=f"[n, m] -> {{ S0[i, j] -> A[x, y] : {inner} and {near} }}",
        writes=f"[n, m] -> {{ S0[i, j] -> B[i, j] : {inner} }}",
        context="{ : }",
    )


def test_rows_of_a_constant_size_stay_linear() -> None:
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < 10; j++) A[i * 10 + j] = 0;"
    expected = "[n] -> { S0[i, j] -> A[10i + j] : 0 <= i < n and 0 <= j < 10 }"
    expect(model_of(body), writes=expected, context="{ : }")


def test_references_that_disagree_about_the_rows_are_not_delinearised() -> None:
    body = NEST + "A[i * m + j] = A[j * n + i];"
    scop = model_of(body, "int n, int m, double *A")
    expect(scop, instances=f"[n, m] -> {{ S0[i, j] : {BOX} }}", must_writes="{ }")
    expect(scop, may_writes=f"[n, m] -> {{ S0[i, j] -> A[x] : {BOX} }}")


LINEAR_BESIDE_LINEARISED = NEST + "A[i * m + j] = 0; for (int k = 0; k < n; k++) A[k] = 1;"


def test_a_linear_reference_beside_linearised_ones_may_touch_any_element() -> None:
    """Nothing tells which row ``A[k]`` is in."""
    scop = model_of(LINEAR_BESIDE_LINEARISED, "int n, int m, double *A")
    writes = scop.may_writes().intersect_domain(isl.UnionSet("{ S1[k] }"))
    elements = (
        "S1[k] -> A[0, k] : 0 <= k < n and k < m",
        "S1[k] -> A[1, 0] : 0 <= k < n and k = m > 0",
        "S1[k] -> A[2, 1] : 0 <= k < n and k = 2m + 1 and m > 1",
    )
    for element in elements:
        touched = isl.UnionMap(f"[n, m] -> {{ {element} }}").intersect_params(scop.context)
        assert touched.is_subset(writes), element


def test_a_linear_reference_touches_an_element_whatever_the_rows_are() -> None:
    """Also for ``m <= 0``, where the linearised references do not run."""
    scop = model_of(LINEAR_BESIDE_LINEARISED, "int n, int m, double *A")
    writers = scop.may_writes().domain().intersect(isl.UnionSet("{ S1[k] }"))
    same(writers, "[n, m] -> { S1[k] : 0 <= k < n }", scop.context)


@pytest.mark.parametrize(
    "prelude",
    [
        "static __thread double t;",
        "_Thread_local double t;",
        "static double t, u;\n#pragma omp threadprivate(u, t)",
    ],
)
def test_variables_of_a_thread_stay_where_they_are(prelude: str) -> None:
    """In a parallel loop, other threads would find another value in them."""
    with pytest.raises(InputError) as caught:
        model_of(LOOP + "A[i] = t;", prelude=prelude)
    assert [each.code for each in caught.value.diagnostics] == ["LW214"]
