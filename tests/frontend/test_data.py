"""Scalars, arrays, pointers, structs: which elements a statement touches."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright import InputError

from .expectations import accesses_of, certain_reads, expect, model_of, reasons, restricted, same

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
    body = "for (int i = 0; i < n; i++) { double *row = A[i]; for (int j = 0; j < m; j++) row[j] = j; }"
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
    """Nothing in C keeps two rows of a ``double **`` apart: the model must say that it assumes it."""
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
    with pytest.raises(InputError, match="LW20[67]"):
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
    body = "for (int i = 0; i < n; i++) { double *r = A + i * m; for (int j = 0; j < m; j++) r[j] = 0; }"
    scop = model_of(body, "int n, int m, double *A")
    expect(scop, writes=f"[n, m] -> {{ S0[i, j] -> A[i, j] : {BOX} }}")


@pytest.mark.parametrize("subscript", ["(i * m + j) * l + k", "i * m * l + j * l + k"])
def test_three_linearised_dimensions(subscript: str) -> None:
    body = NEST + f"for (int k = 0; k < l; k++) A[{subscript}] = 0;"
    scop = model_of(body, "int n, int m, int l, double *A")
    expected = f"[n, m, l] -> {{ S0[i, j, k] -> A[i, j, k] : {BOX} and 0 <= k < l }}"
    expect(scop, writes=expected, context="{ : }")


def test_what_delinearisation_needs_is_in_the_context() -> None:
    """``A[i*m + j]`` with ``j < p`` stays in its row only if ``p <= m`` (or nothing runs)."""
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < p; j++) A[i * m + j] = 0;"
    scop = model_of(body, "int n, int m, int p, double *A")
    expect(
        scop,
        writes="[n, m, p] -> { S0[i, j] -> A[i, j] : 0 <= i < n and 0 <= j < p }",
        context="[n, m, p] -> { : p <= m or n <= 0 or p <= 0 }",
    )
    assert "rows of m" in reasons(scop)


def test_a_stencil_in_a_linearised_array() -> None:
    body = """for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)
      B[i * m + j] = A[(i - 1) * m + j] + A[i * m + j - 1] + A[i * m + j + 1] + A[(i + 1) * m + j];"""
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


# --- structs ----------

STRUCTS = """\
struct point { double x, y; int tag; };
struct path { int length; struct point at[10]; double sum[3]; };
union number { double real; long bits; };
"""


def test_members_are_arrays_of_their_own() -> None:
    scop = model_of(
        "p.x = p.y; p.tag = 3;",
        "struct point q",
        prelude=STRUCTS,
        before="struct point p = q;",
        after="q = p;",
    )
    expect(scop, reads="{ S0[] -> p_y[] }", writes="{ S0[] -> p_x[]; S1[] -> p_tag[] }")
    assert scop.array("p_tag").element_type == "int"
    assert scop.array("p_x").reference_text([]) == "p.x"


def test_arrays_of_structs() -> None:
    scop = model_of(LOOP + "a[i].x = a[i + 1].y;", "int n, struct point *a", prelude=STRUCTS)
    expect(
        scop,
        reads=f"[n] -> {{ S0[i] -> a_y[i + 1] : {ROWS} }}",
        writes=f"[n] -> {{ S0[i] -> a_x[i] : {ROWS} }}",
    )
    assert scop.array("a_x").reference_text(["i"]) == "a[i].x"


def test_arrays_in_structs() -> None:
    body = "for (int i = 0; i < 10; i++) for (int j = 0; j < 3; j++) p.at[i].x = p.sum[j];"
    scop = model_of(body, "struct path p", prelude=STRUCTS, after="use(p.at[0].x);")
    box = "0 <= i < 10 and 0 <= j < 3"
    expect(
        scop,
        reads=f"{{ S0[i, j] -> p_sum[j] : {box} }}",
        writes=f"{{ S0[i, j] -> p_at_x[i] : {box} }}",
        context="{ : }",
    )
    same(scop.array("p_at_x").elements(), "{ p_at_x[i] : 0 <= i < 10 }")
    assert scop.array("p_at_x").reference_text(["4"]) == "p.at[4].x"


def test_arrays_of_structs_with_arrays() -> None:
    body = LOOP + "for (int j = 0; j < 3; j++) a[i].sum[j] = a[i].at[j].y;"
    scop = model_of(body, "int n, struct path *a", prelude=STRUCTS)
    box = "0 <= i < n and 0 <= j < 3"
    expect(
        scop,
        reads=f"[n] -> {{ S0[i, j] -> a_at_y[i, j] : {box} }}",
        writes=f"[n] -> {{ S0[i, j] -> a_sum[i, j] : {box} }}",
    )


@pytest.mark.parametrize("reference", ["p->x", "(*p).x", "p[0].x", "(&*p)->x", "(p + 0)->x"])
def test_members_behind_a_pointer(reference: str) -> None:
    scop = model_of(f"{reference} = 1;", "struct point *p", prelude=STRUCTS)
    expect(scop, writes="{ S0[] -> p_x[0] }", reads="{ }")


def test_pointers_to_elements_of_arrays_of_structs() -> None:
    body = LOOP + "{ struct point *p = &a[i]; p->x += p->y; (p + 1)->tag++; }"
    scop = model_of(body, "int n, struct point *a", prelude=STRUCTS)
    expect(
        scop,
        reads=f"""[n] -> {{ S0[i] -> a_x[i] : {ROWS}; S0[i] -> a_y[i] : {ROWS};
            S1[i] -> a_tag[i + 1] : {ROWS} }}""",
        writes=f"[n] -> {{ S0[i] -> a_x[i] : {ROWS}; S1[i] -> a_tag[i + 1] : {ROWS} }}",
    )


def test_a_struct_is_assigned_member_by_member() -> None:
    scop = model_of(
        LOOP + "a[i] = b[n - i];", "int n, struct point *a, struct point *b", prelude=STRUCTS
    )
    every = ["x", "y", "tag"]
    reads = "; ".join(f"S0[i] -> b_{each}[n - i] : {ROWS}" for each in every)
    writes = "; ".join(f"S0[i] -> a_{each}[i] : {ROWS}" for each in every)
    expect(scop, reads=f"[n] -> {{ {reads} }}", writes=f"[n] -> {{ {writes} }}")


def test_a_struct_with_arrays_is_assigned_whole() -> None:
    scop = model_of(
        "p = q;", "struct path p, struct path q", prelude=STRUCTS, after="use(p.length);"
    )
    elements = """S0[] -> {0}_length[]; S0[] -> {0}_at_x[i] : 0 <= i < 10;
        S0[] -> {0}_at_y[i] : 0 <= i < 10; S0[] -> {0}_at_tag[i] : 0 <= i < 10;
        S0[] -> {0}_sum[i] : 0 <= i < 3"""
    expect(
        scop,
        reads="{ " + elements.format("q") + " }",
        writes="{ " + elements.format("p") + " }",
    )


def test_the_members_of_a_union_share_their_memory() -> None:
    scop = model_of(
        "u.real = 1; k = u.bits;", "union number u, long k", prelude=STRUCTS, after="use(k, u);"
    )
    (first,) = [access for access in scop.statements[0].accesses if access.writes]
    (second,) = [access for access in scop.statements[1].accesses if access.array != "k"]
    assert first.array == second.array


def test_a_write_to_a_member_of_a_union_may_leave_some_of_the_others() -> None:
    """Writing one of 8 bytes does not certainly write the other 7."""
    prelude = "union mixed { double real; char bytes[8]; };"
    scop = model_of(
        "u.real = 1; u.bytes[0] = 2; x = u.real;",
        "union mixed u, double x",
        prelude=prelude,
        after="use(x);",
    )
    writes = restricted(scop.must_writes(), "u").intersect_domain(isl.UnionSet("{ S1[] }"))
    assert writes.is_empty()


# --- expressions ----------


@pytest.mark.parametrize("operator", ["+=", "-=", "*=", "/="])
def test_compound_assignments_read_what_they_write(operator: str) -> None:
    scop = model_of(LOOP + f"A[i] {operator} B[2 * i];", "int n, double *A, double *B")
    expect(
        scop,
        reads=f"[n] -> {{ S0[i] -> A[i] : {ROWS}; S0[i] -> B[2i] : {ROWS} }}",
        writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}",
    )


@pytest.mark.parametrize("operator", ["%=", "<<=", ">>=", "&=", "|=", "^="])
def test_compound_assignments_of_integers(operator: str) -> None:
    scop = model_of(LOOP + f"A[i] {operator} 3;", "int n, int *A")
    touched = f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}"
    expect(scop, reads=touched, writes=touched)


@pytest.mark.parametrize("statement", ["A[i]++;", "A[i]--;", "++A[i];", "--A[i];"])
def test_increments_read_and_write(statement: str) -> None:
    touched = f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}"
    expect(model_of(LOOP + statement), reads=touched, writes=touched)


def test_assignments_inside_an_expression() -> None:
    scop = model_of(LOOP + "A[i] = B[i] = C[i]++;", "int n, double *A, double *B, int *C")
    each = "S0[i] -> {}[i] : " + ROWS
    expect(
        scop,
        reads=f"[n] -> {{ {each.format('C')} }}",
        writes=f"[n] -> {{ {'; '.join(map(each.format, 'ABC'))} }}",
    )


def test_operators_casts_and_calls_read_all_operands() -> None:
    body = LOOP + "A[i] = (double) (B[i] & 3 | ~B[i + 1] ^ B[i + 2] << 1) + (float) -A[i + 1];"
    scop = model_of(body, "int n, double *A, int *B")
    expect(
        scop,
        reads=f"""[n] -> {{ S0[i] -> B[x] : {ROWS} and i <= x <= i + 2;
            S0[i] -> A[i + 1] : {ROWS} }}""",
        writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}",
    )
    same(certain_reads(scop), str(scop.may_reads()))


def test_the_comma_evaluates_both_sides() -> None:
    scop = model_of(LOOP + "A[i] = 1, B[i] = 2;", "int n, double *A, double *B")
    expect(scop, writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS}; S0[i] -> B[i] : {ROWS} }}")


def test_an_affine_conditional_reads_one_side() -> None:
    scop = model_of(LOOP + "A[i] = i < 3 ? B[i] : C[i];", "int n, double *A, double *B, double *C")
    reads = f"""[n] -> {{ S0[i] -> B[i] : {ROWS} and i < 3; S0[i] -> C[i] : {ROWS} and i >= 3 }}"""
    expect(scop, reads=reads)
    same(certain_reads(scop), reads)


def test_a_data_dependent_conditional_may_read_either_side() -> None:
    body = LOOP + "A[i] = B[i] > 0 ? C[i] : C[i + 1];"
    scop = model_of(body, "int n, double *A, double *B, double *C")
    expect(
        scop,
        instances=f"[n] -> {{ S0[i] : {ROWS} }}",
        reads=f"[n] -> {{ S0[i] -> B[i] : {ROWS}; S0[i] -> C[x] : {ROWS} and i <= x <= i + 1 }}",
        writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}",
    )
    same(certain_reads(scop), f"[n] -> {{ S0[i] -> B[i] : {ROWS} }}")


@pytest.mark.parametrize(
    ("expression", "possible", "certain"),
    [
        ("i < 3 && B[i]", f"{ROWS} and i < 3", f"{ROWS} and i < 3"),
        ("i < 3 || B[i]", f"{ROWS} and i >= 3", f"{ROWS} and i >= 3"),
        ("C[i] && B[i]", ROWS, "1 = 0"),
        ("C[i] || B[i]", ROWS, "1 = 0"),
        ("(i < 3 && C[i]) || B[i]", ROWS, f"{ROWS} and i >= 3"),
        ("!(C[i] + B[i])", ROWS, ROWS),
    ],
)
def test_logical_operators_read_their_second_operand_only_if_needed(
    expression: str, possible: str, certain: str
) -> None:
    scop = model_of(LOOP + f"A[i] = {expression};", "int n, double *A, int *B, int *C")
    same(restricted(scop.may_reads(), "B"), f"[n] -> {{ S0[i] -> B[i] : {possible} }}")
    seen = restricted(certain_reads(scop), "B")
    assert seen.is_subset(isl.UnionMap(f"[n] -> {{ S0[i] -> B[i] : {certain} }}"))
    if "C[i])" not in expression:
        same(seen, f"[n] -> {{ S0[i] -> B[i] : {certain} }}")


def test_assignments_behind_a_logical_operator_may_not_happen() -> None:
    scop = model_of(LOOP + "B[i] && (A[i] = 1);", "int n, double *A, int *B")
    expect(scop, may_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}", must_writes="{ }")


def test_sizeof_evaluates_nothing() -> None:
    scop = model_of(LOOP + "A[i] = sizeof(B[i]);", "int n, double *A, double *B")
    expect(scop, reads="{ }")


def test_the_address_of_an_element_reads_nothing() -> None:
    prelude = "double first(double *p) { return p[1]; }"
    scop = model_of(LOOP + "A[i] = first(&B[i]);", "int n, double *A, double *B", prelude=prelude)
    expect(scop, reads=f"[n] -> {{ S0[i] -> B[i + 1] : {ROWS} }}")


def test_subscripts_are_read_too() -> None:
    scop = model_of(LOOP + "A[K[i]] = 0;", "int n, double *A, int *K")
    expect(
        scop,
        reads=f"[n] -> {{ S0[i] -> K[i] : {ROWS} }}",
        may_writes=f"[n] -> {{ S0[i] -> A[x] : {ROWS} }}",
        must_writes="{ }",
    )


# --- locals ----------


def test_a_local_is_initialised_by_a_statement() -> None:
    scop = model_of(LOOP + "{ double t = A[i]; A[i] = t * t; }")
    expect(
        scop,
        instances=f"[n] -> {{ S0[i] : {ROWS}; S1[i] : {ROWS} }}",
        reads=f"[n] -> {{ S0[i] -> A[i] : {ROWS}; S1[i] -> t[] : {ROWS} }}",
        writes=f"[n] -> {{ S0[i] -> t[] : {ROWS}; S1[i] -> A[i] : {ROWS} }}",
    )
    assert scop.array("t").is_local
    assert not scop.array("t").is_live_in
    assert not scop.array("t").is_live_out


def test_a_local_array_with_an_initialiser_is_written_whole() -> None:
    """Elements that the list does not name become zero."""
    scop = model_of(LOOP + "{ double t[4] = { 1, A[i] }; A[i] = t[3]; }")
    expect(
        scop,
        writes=f"""[n] -> {{ S0[i] -> t[x] : {ROWS} and 0 <= x < 4;
        S1[i] -> A[i] : {ROWS} }}""",
    )


def test_a_local_struct_with_an_initialiser_is_written_whole() -> None:
    scop = model_of(LOOP + "{ struct point p = { A[i] }; A[i] = p.x + p.y; }", prelude=STRUCTS)
    writes = scop.must_writes().intersect_domain(isl.UnionSet("{ S0[i] }"))
    members = "; ".join(f"S0[i] -> p_{each}[] : {ROWS}" for each in ("x", "y", "tag"))
    same(writes, f"[n] -> {{ {members} }}")


def test_two_locals_of_one_name_are_two_arrays() -> None:
    body = "{ double t = A[0]; A[1] = t; } { double t = A[2]; A[3] = t; }"
    scop = model_of(body)
    assert len({access.array for each in scop.statements for access in each.accesses}) == 3


def test_a_local_vla_has_the_extent_of_its_declaration() -> None:
    scop = model_of(LOOP + "{ double t[n + 2]; t[i] = A[i]; A[i] = t[i]; }")
    same(scop.array("t").elements(), "[n] -> { t[x] : 0 <= x < n + 2 }")


def test_tags_are_unique_to_references() -> None:
    scop = model_of(LOOP + "A[i] = A[i] + A[i + 1]; A[0] = A[0];")
    tags = [access.tag for access in accesses_of(scop, "A")]
    assert len(tags) == len(set(tags)) == 5
    assert [access.text for access in accesses_of(scop, "A")].count("A[i + 1]") == 1
    tagged = scop.may_reads(tagged=True)
    assert tagged.domain().unwrap().domain().is_equal(scop.may_reads().domain())
    assert len(set(map(str, _tags(tagged)))) == 3


def _tags(tagged: isl.UnionMap) -> list[str]:
    references = tagged.domain().unwrap().range().get_set_list()
    return [references.get_at(at).get_tuple_name() for at in range(references.n_set())]
