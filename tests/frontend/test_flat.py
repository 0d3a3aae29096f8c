"""Arrays of several dimensions that C knows as one, or that a pointer goes through as one."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright.model.scop import Scop

from .expectations import model_of, same

ROWS = "for (int i = 1; i < m; i++) for (int j = 0; j < n; j++) "


def element(scop: Scop, text: str) -> isl.Map:
    (found,) = {
        str(each.may) for one in scop.statements for each in one.accesses if each.text == text
    }
    return isl.Map(found)


@pytest.mark.parametrize(
    ("text", "row", "column"),
    [
        ("A[i * n + j - n]", "i - 1", "j"),
        ("A[n + j]", "1", "j"),
        ("A[(m - 1) * n + j]", "m - 1", "j"),
        ("A[n * (m - 2) + j]", "m - 2", "j"),
        ("A[i * n + n - 1 - j]", "i", "n - 1 - j"),
        ("A[i * n - 1 - j]", "i - 1", "n - 1 - j"),
    ],
)
def test_whole_rows_are_rows(text: str, row: str, column: str) -> None:
    scop = model_of(
        f"{ROWS} B[i * n + j] = A[i * n + j] + {text};", "int m, int n, double *A, double *B"
    )
    expected = f"[m, n] -> {{ S0[i, j] -> A[{row}, {column}] : 1 <= i < m and 0 <= j < n }}"
    (statement,) = scop.statements
    (access,) = (each for each in statement.accesses if each.text == text)
    same(access.may.intersect_domain(statement.domain), expected, scop.context)


def test_rows_that_are_long_enough_are_one_case() -> None:
    body = """for (int i = 0; i < m; i++) for (int k = 0; k < p; k++) for (int j = 0; j < n; j++)
      C[i * ldc + j] += A[i * lda + k] * B[k * ldb + j];"""
    parameters = "int m, int n, int p, int lda, int ldb, int ldc, double *A, double *B, double *C"
    scop = model_of(body, parameters)
    assert {each.name: each.rank for each in scop.arrays} == {"A": 2, "B": 2, "C": 2}
    same(scop.context, "[p, lda, n, ldb, ldc] -> { : p <= lda and n <= ldb and n <= ldc }")


def test_rows_that_overlap_are_none() -> None:
    scop = model_of("for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) A[i * n + j] = 0;")
    assert scop.array("A").rank == 1


@pytest.mark.parametrize(
    ("type_", "bound"), [("unsigned", 2**16), ("unsigned long", 2**32), ("int", 2**40)]
)
def test_sizes_keep_unsigned_subscripts_from_wrapping(type_: str, bound: int) -> None:
    body = """for (TYPE i = 0; i < m; i++) for (TYPE j = 0; j < n; j++)
      A[i * n + j] = 0;""".replace("TYPE", type_)
    scop = model_of(body, f"{type_} m, {type_} n, double *A")
    assert scop.array("A").rank == 2
    large = isl.Set(f"[m, n] -> {{ : m > {bound} and n > {bound} }}")
    assert (scop.context & large).is_empty() == (type_ != "int")
    same(scop.context & isl.Set("[m, n] -> { : m = n = 1000 }"), "[m, n] -> { : m = n = 1000 }")


def test_sizes_share_what_is_left_by_those_that_are_known() -> None:
    body = "for (unsigned i = 0; i < 80000; i++) for (unsigned j = 0; j < n; j++) A[i * n + j] = 0;"
    scop = model_of(body, "unsigned n, double *A")
    assert isl.Set("[n] -> { : n = 10000 }").is_subset(scop.context)
    assert (scop.context & isl.Set("[n] -> { : n > 60000 }")).is_empty()


def test_a_product_that_always_wraps_is_no_subscript() -> None:
    body = "if (n > 70000) for (unsigned i = 70000; i < m; i++) A[i * n] = 0;"
    scop = model_of(body, "unsigned m, unsigned n, double *A")
    assert scop.array("A").rank == 1
    assert not scop.statements[0].accesses[0].is_exact


@pytest.mark.parametrize("name", ["(&C[0][0])", "(*C)", "C[0]"])
def test_a_pointer_goes_through_the_rows_of_an_array(name: str) -> None:
    scop = model_of(f"{ROWS} {name}[i * n + j] = 1;", "int m, int n, double C[m][n]")
    seen = scop.must_writes()
    if "&" in name:
        same(seen, "[m, n] -> { S0[i, j] -> C[i, j] : 1 <= i < m and 0 <= j < n }")
    else:
        assert seen.is_empty() or scop.array("C").rank == 2


def test_a_pointer_goes_through_rows_of_fixed_size() -> None:
    body = "for (int i = 0; i < 20; i++) for (int j = 0; j < 30; j++) (&g[0][0])[30 * i + j] = 1;"
    scop = model_of(body, prelude="double g[20][30];")
    same(scop.must_writes(), "{ S0[i, j] -> g[i, j] : 0 <= i < 20 and 0 <= j < 30 }")


def test_a_pointer_leaves_no_struct() -> None:
    prelude = "struct cell { double x[4]; double y; } c[20];"
    body = "for (int i = 0; i < 9; i++) for (int j = 0; j < 4; j++) (&c[0].x[0])[4 * i + j] = 1;"
    scop = model_of(body, prelude=prelude)
    assert not any(each.is_exact for each in scop.statements[0].accesses)


def test_how_far_a_pointer_moves_is_only_read() -> None:
    prelude = "struct grid { unsigned long rows, cols; double *at; };"
    body = """for (unsigned long i = 0; i < g.rows; i++) for (unsigned long j = 0; j < g.cols; j++)
      *(g.at + i * g.cols + j) = 1;"""
    scop = model_of(body, "struct grid g", prelude=prelude)
    assert [each.text for each in scop.parameters] == ["g.rows", "g.cols"]
    assert scop.array("g_at").rank == 2
