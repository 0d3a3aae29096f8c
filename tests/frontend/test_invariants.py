"""Integers that are no variables and that a region never changes: elements, members, products."""

from __future__ import annotations

import pytest

from loopwright import Scop

from .expectations import model_of

LOOP = "for (int i = 0; i < p[0]; i++) A[i] = 1;"
SHAPE = "struct shape { int n[2]; int w, h; double *at; };"


def parameters(scop: Scop) -> list[str]:
    return [each.text for each in scop.parameters]


def assumed(scop: Scop) -> list[str]:
    return [each.reason for each in scop.assumptions]


@pytest.mark.parametrize(
    ("bound", "given", "prelude", "expected"),
    [
        ("p[0]", "", "int p[3];", "p[0]"),
        ("p[1] - 1", "", "static const int p[3] = {1, 2, 3};", "p[1]"),
        ("p[0]", ", const int *p", "", "p[0]"),
        ("p[k]", ", int k", "int p[3];", "p[k]"),
        ("s.n[1]", ", struct shape s", SHAPE, "s.n[1]"),
        ("s->n[1]", ", struct shape *s", SHAPE, "s->n[1]"),
        ("t[2].w", "", SHAPE + "struct shape t[3];", "t[2].w"),
        ("s->w * s->h", ", struct shape *s", SHAPE, "(s->w * s->h)"),
        ("(size_t)n * m", ", int m", "typedef unsigned long size_t;", "((size_t)n * m)"),
        ("n * m * n", ", int m", "", "((n * m) * n)"),
        ("n / m", ", int m", "", "(n / m)"),
        ("1 << n", "", "", "(1 << n)"),
        ("(n - 1) * (m + 1)", ", int m", "", "((n - 1) * (m + 1))"),
    ],
)
def test_what_bounds_a_loop_is_a_parameter(
    bound: str, given: str, prelude: str, expected: str
) -> None:
    scop = model_of(
        f"for (int i = 0; i < {bound}; i++) A[i] = 1;",
        "int n, double *A" + given,
        prelude=prelude,
    )
    assert expected in parameters(scop)
    assert not any(each.is_dynamic for each in scop.statements)


@pytest.mark.parametrize(
    ("body", "around"),
    [
        (LOOP + "p[2] = 1;", {}),
        ("for (int i = 0; i < p[0]; i++) { A[i] = 1; p[i] = 2; }", {}),
        ("for (int i = 0; i < p[0]; i++) { A[i] = 1; p[0]--; }", {}),
        ("for (int i = 0; i < p[0]; i++) { A[i] = 1; less(); }", {}),
        ("for (int i = 0; i < p[0]; i++) { A[i] = 1; lower(p); }", {}),
        ("for (int i = 0; i < p[0]; i++) { A[i] = 1; unknown(); }", {}),
        ("for (int i = 0; i < p[0]; i++) { A[i] = 1; int *q = p + 1; *q = 3; }", {}),
        ("for (int i = 0; i < p[0]; i++) { A[i] = 1; __pencil_def(p); }", {}),
    ],
    ids=["written", "in the loop", "counted", "callee", "given", "unknown", "pointer", "promise"],
)
def test_an_element_that_is_written_is_none(body: str, around: dict[str, str]) -> None:
    prelude = """int p[3]; void unknown(void); void __pencil_def();
      static void less(void) { p[0]--; } static void lower(int *q) { q[0]--; }"""
    scop = model_of(body, prelude=prelude, **around)
    assert not any(each.startswith("p") for each in parameters(scop))


def test_a_member_array_that_is_written_is_none() -> None:
    scop = model_of(
        "for (int i = 0; i < s->n[0]; i++) s->n[1] += 2;", "struct shape *s", prelude=SHAPE
    )
    assert parameters(scop) == []


def test_writing_other_members_leaves_one_a_parameter() -> None:
    scop = model_of(
        "for (int i = 0; i < s->n[0]; i++) { s->at[i] = 2; s->w = i; }",
        "struct shape *s",
        prelude=SHAPE,
    )
    assert parameters(scop) == ["s->n[0]"]


def test_what_only_data_need_is_no_parameter() -> None:
    scop = model_of("for (int i = 0; i < n; i++) A[i] = p[0];", prelude="int p[3];")
    assert parameters(scop) == ["n"]
    assert "p" in [each.name for each in scop.arrays]


def test_products_in_subscripts_are_those_of_rows() -> None:
    scop = model_of(
        "for (int i = 0; i < n * m; i++) for (int j = 0; j < m; j++) A[i * m + j] = 1;",
        "int n, int m, double *A",
    )
    assert parameters(scop) == ["(n * m)", "m"]
    assert scop.array("A").rank == 2


def test_a_variable_that_holds_a_product_is_one_in_bounds() -> None:
    scop = model_of(
        "for (int b = 0; b < n; b++) { int size = n * m; for (int i = 0; i < size; i++) "
        "A[b * size + i] = 1; }",
        "int n, int m, double *A",
    )
    assert "(n * m)" in parameters(scop)


def test_where_nothing_evaluates_it_the_model_does_not_hold() -> None:
    scop = model_of(
        "for (int i = 0; i < n; i++) for (int j = 0; j < p[1]; j++) A[i] += j;",
        "int n, double *A, int *p",
    )
    assert "p[1] is evaluated" in assumed(scop)
    assert str(scop.context) == "[n, p_1] -> {  : n > 0 }"


def test_elements_of_arrays_that_are_there_need_not_be_evaluated() -> None:
    scop = model_of(
        "for (int i = 0; i < n; i++) for (int j = 0; j < p[1]; j++) A[i] += j;",
        prelude="int p[2];",
    )
    assert assumed(scop) == ["the arrays A, p do not overlap"]
