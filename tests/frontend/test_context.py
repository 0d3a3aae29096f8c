"""The context: under which parameter values the model holds."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright import InputError

from .expectations import codes, expect, kernel, model_of, reasons, same, scop_of

LOOP = "for (int i = 0; i < n; i++) "


# --- array sizes ----------


def test_array_sizes_are_positive() -> None:
    scop = model_of("A[0][0] = 1;", "int n, int m, double A[n + 1][2 * m]")
    expect(scop, context="[n, m] -> { : n >= 0 and m >= 1 }")
    assert "positive" in reasons(scop)


def test_only_the_arrays_of_the_region_count() -> None:
    scop = model_of("A[0] = 1;", "int n, int m, double A[n], double B[m]")
    expect(scop, context="[n] -> { : n >= 1 }")


def test_a_pointer_has_no_size() -> None:
    expect(model_of(LOOP + "A[i] = 0;"), context="{ : }")


# --- in-bounds accesses ----------


def test_accesses_are_in_bounds() -> None:
    scop = model_of(LOOP + "A[i + 2] = 0;", "int n, int m, double A[m]")
    expect(scop, context="[n, m] -> { : m >= 1 and (n <= 0 or n + 2 <= m) }")
    assert "A[i + 2] stays within A" in reasons(scop)


def test_inner_subscripts_are_in_bounds() -> None:
    body = "for (int i = 0; i < 5; i++) A[i][i + n] = 0;"
    scop = model_of(body, "int n, double A[5][10]")
    expect(scop, context="[n] -> { : 0 <= n <= 5 }")


def test_negative_subscripts_are_out_of_bounds() -> None:
    scop = model_of("A[n - 3] = 0;", "int n, double A[10]")
    expect(scop, context="[n] -> { : 3 <= n < 13 }")


def test_accesses_that_are_not_certain_assume_nothing() -> None:
    scop = model_of("if (B[0] > 0) A[n] = 0;", "int n, double A[10], double *B")
    expect(scop, context="{ : }")


def test_an_access_under_an_affine_condition_is_in_bounds_where_it_holds() -> None:
    scop = model_of("if (n > 3) A[n] = 0;", "int n, double A[10]")
    expect(scop, context="[n] -> { : n <= 3 or n < 10 }")


def test_an_access_that_is_always_out_of_bounds_is_told() -> None:
    scop = model_of("A[12] = 0;", "double A[10]")
    assert codes(scop) == {"LW303"}


# --- what the user says ----------


def test_the_users_context() -> None:
    scop = scop_of(kernel(LOOP + "A[i] = 0;"), context="[n] -> { : n >= 4 }")
    expect(scop, context="[n] -> { : n >= 4 }", instances="[n] -> { S0[i] : 0 <= i < n }")


def test_the_users_context_meets_what_the_program_says() -> None:
    program = kernel(LOOP + "A[i + 2] = 0;", "int n, int m, double A[m]")
    scop = scop_of(program, context="[n, m] -> { : n = m - 3 and n > 5 }")
    expect(scop, context="[n, m] -> { : n = m - 3 and n > 5 }")


def test_the_users_context_may_be_a_set() -> None:
    scop = scop_of(kernel(LOOP + "A[i] = 0;"), context=isl.Set("[n] -> { : n >= 4 }"))
    expect(scop, context="[n] -> { : n >= 4 }")


def test_the_users_context_excludes_wrapping() -> None:
    program = kernel("for (unsigned char i = 0; i < n; i++) A[i] = 0;")
    scop = scop_of(program, context="[n] -> { : 0 <= n < 100 }")
    expect(scop, context="[n] -> { : 0 <= n < 100 }")
    assert not scop.notes


@pytest.mark.parametrize("text", ["n >= 4", "{ S[i] }", "[n] -> { : n >= }", "", "{ [n] : n > 0 }"])
def test_a_context_that_is_none(text: str) -> None:
    with pytest.raises(InputError, match="LW117"):
        scop_of(kernel(LOOP + "A[i] = 0;"), context=text)


def test_a_context_about_an_iterator_does_not_bind_the_iterator() -> None:
    try:
        scop = scop_of(kernel(LOOP + "A[i] = 0;"), context="[i] -> { : i >= 4 }")
    except InputError:
        return
    same(scop.domain, "[n] -> { S0[x] : 0 <= x < n }")


def test_a_context_is_about_the_variable_that_the_source_calls_so() -> None:
    """Another ``n``, an iterator, comes first and must not take the name away."""
    program = kernel("for (int n = 0; n < 4; n++) A[n] = 0; A[n] = 1;")
    scop = scop_of(program, context="[n] -> { : n >= 7 }")
    (name,) = [each.name for each in scop.parameters if each.text == "n"]
    assert scop.context.is_subset(isl.Set(f"[{name}] -> {{ : {name} >= 7 }}"))
    expect(scop, instances="{ S0[k] : 0 <= k < 4; S1[] }")


def test_a_context_about_an_unknown_name_is_refused_or_told() -> None:
    program = kernel(LOOP + "A[i] = 0;")
    try:
        scop = scop_of(program, context="[N] -> { : N >= 4 }")
    except InputError:
        return
    assert scop.notes


def test_a_context_that_leaves_nothing_is_refused_or_told() -> None:
    program = kernel(LOOP + "A[i] = 0;", "int n, double A[n]")
    try:
        scop = scop_of(program, context="[n] -> { : n < 0 }")
    except InputError:
        return
    assert scop.notes


def test_assume_non_negative() -> None:
    program = kernel("for (int i = m; i < n; i++) A[i] = 0;", "int n, int m, double *A")
    scop = scop_of(program, assume_non_negative=True)
    expect(scop, context="[n, m] -> { : n >= 0 and m >= 0 }")


def test_without_assume_non_negative_parameters_may_be_negative() -> None:
    program = kernel("for (int i = m; i < n; i++) A[i] = 0;", "int n, int m, double *A")
    expect(scop_of(program), context="{ : }")


# --- parameters ----------


def test_parameters_know_their_source() -> None:
    scop = model_of("for (int i = 0; i < n; i++) A[i + m] = 0;", "int n, long m, double *A")
    assert [(each.name, each.text, each.type) for each in scop.parameters] == [
        ("n", "n", "int"),
        ("m", "m", "long"),
    ]
    assert scop.parameters[0].span.line == 2


MATRIX = "struct matrix { int rows, cols; double *data; struct { long depth; } more; };"


def test_members_of_a_struct_behind_a_pointer_are_parameters() -> None:
    body = "for (int i = 0; i < m->rows; i++) for (int j = 0; j < m->cols; j++) A[j] = i;"
    scop = model_of(body, "const struct matrix *m, double *A", prelude=MATRIX)
    rows, cols = scop.parameters
    assert (rows.text, cols.text) == ("m->rows", "m->cols")
    expect(
        scop,
        instances=f"""[{rows.name}, {cols.name}] -> {{
            S0[i, j] : 0 <= i < {rows.name} and 0 <= j < {cols.name} }}""",
        reads="{ }",
    )


def test_members_of_a_struct_are_parameters() -> None:
    scop = model_of(
        "for (int i = 0; i < m.more.depth; i++) A[i] = 0;",
        "struct matrix m, double *A",
        prelude=MATRIX,
    )
    (depth,) = scop.parameters
    assert depth.text == "m.more.depth"
    expect(scop, instances=f"[{depth.name}] -> {{ S0[i] : 0 <= i < {depth.name} }}")


def test_linearised_data_of_a_matrix() -> None:
    body = """for (int i = 0; i < m->rows; i++) for (int j = 0; j < m->cols; j++)
      m->data[i * m->cols + j] = 0;"""
    scop = model_of(body, "struct matrix *m", prelude=MATRIX)
    same(scop.domain, "[m_rows, m_cols] -> { S0[i, j] : 0 <= i < m_rows and 0 <= j < m_cols }")
    (write,) = [access for access in scop.statements[0].accesses if access.writes]
    assert write.is_exact


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < m->rows; i++) m->rows = i;",
        "for (int i = 0; i < m->rows; i++) m->rows--;",
        "for (int i = 0; i < m->rows; i++) *m = *other;",
        "for (int i = 0; i < m->rows; i++) m[0] = other[0];",
        "for (int i = 0; i < m->rows; i++) (*m).rows++;",
        "for (int i = 0; i < m->rows; i++) { struct matrix *p = m; p->rows--; }",
        "for (int i = 0; i < m->rows; i++) { int *p = &m->rows; *p -= 1; }",
        "for (int i = 0; i < m->rows; i++) shrink(m);",
        "for (int i = 0; i < m->rows; i++) lower(&m->rows);",
    ],
)
def test_members_that_the_region_changes_are_no_parameters(body: str) -> None:
    prelude = (
        MATRIX
        + """
static void shrink(struct matrix *p) { p->rows--; }
static void lower(int *p) { *p = 0; }"""
    )
    try:
        scop = model_of(body, "struct matrix *m, struct matrix *other", prelude=prelude)
    except InputError:
        return
    assert scop.parameters == ()


def test_two_members_of_the_same_name_are_two_parameters() -> None:
    body = "for (int i = a->rows; i < b->rows; i++) A[i] = 0;"
    scop = model_of(body, "struct matrix *a, struct matrix *b, double *A", prelude=MATRIX)
    first, second = scop.parameters
    expect(
        scop,
        instances=f"""[{first.name}, {second.name}] -> {{
            S0[i] : {first.name} <= i < {second.name} }}""",
    )


def test_a_member_of_an_element_is_no_parameter_unless_it_is_steady() -> None:
    body = "for (int i = 0; i < 9; i++) for (int j = 0; j < m[i].rows; j++) A[j] = 0;"
    scop = model_of(body, "struct matrix *m, double *A", prelude=MATRIX)
    assert scop.parameters == ()
    assert any(each.is_dynamic for each in scop.statements)
