"""The functions of the library that fill and copy memory."""

from __future__ import annotations

import pytest

from loopwright import InputError, optimize

from .expectations import model_of, restricted, same

STRING = "#include <string.h>\nstruct s { double *x; int n; double a[4]; };\n"
ROWS = "int n, double (*A)[64], double *B"


def test_a_row_is_filled() -> None:
    scop = model_of(
        "for (int i = 0; i < n; i++) memset(A[i], 0, 64 * sizeof(double));", ROWS, prelude=STRING
    )
    same(scop.must_writes(), "[n] -> { S0[i] -> A[i, j] : 0 <= i < n and 0 <= j < 64 }")
    assert [each.name for each in scop.arrays] == ["A"]


def test_so_many_elements_are_copied() -> None:
    scop = model_of(
        "memcpy(B + 3, C, n * sizeof *B);", "int n, double *B, double *C", prelude=STRING
    )
    same(restricted(scop.must_writes(), "B"), "[n] -> { S0[] -> B[i] : 3 <= i < n + 3 }")
    same(restricted(scop.may_reads(), "C"), "[n] -> { S0[] -> C[i] : 0 <= i < n }")


@pytest.mark.parametrize(
    "call",
    [
        "memset(B, 0, k * n);",
        "memset(B, 0, n);",
        "memset(B, 0, (unsigned)n * 8u);",
        "memset(A, 0, n * sizeof *B);",
    ],
    ids=["a product", "parts of elements", "a size that wraps", "rows"],
)
def test_a_stretch_that_is_not_known_may_be_anything(call: str) -> None:
    scop = model_of(call, "int n, int k, double (*A)[64], double *B", prelude=STRING)
    (access,) = [each for one in scop.statements for each in one.accesses if each.writes]
    assert access.must.is_empty()
    assert not access.may.is_empty()
    assert "outside_world" not in [each.name for each in scop.arrays]


@pytest.mark.parametrize(
    "call",
    ["memset(v, 0, sizeof *v);", "memcpy(w, v, sizeof v);", "memcpy(r, B, n);"],
    ids=["a struct", "pointers", "nobody knows"],
)
def test_what_holds_pointers_is_not_written(call: str) -> None:
    with pytest.raises(InputError, match="LW205"):
        model_of(
            "for (int i = 0; i < n; i++) B[i] = v->x[i];" + call,
            "int n, double *B, struct s *v, double **w, void *r",
            prelude=STRING,
        )


def test_filling_a_struct_changes_its_members() -> None:
    scop = model_of(
        "for (int i = 0; i < t->n; i++) { B[i] = 1; memset(t, 0, sizeof *t); }",
        "double *B, struct t *t",
        prelude=STRING + "struct t { int n; };",
    )
    assert scop.parameters == ()


def test_a_function_of_the_program_with_such_a_name_is_its_own() -> None:
    scop = model_of(
        "memset(B, n, 3);", "int n, double *B", prelude="void memset(double *, int, int);"
    )
    assert "outside_world" in [each.name for each in scop.arrays]


def test_rows_that_are_filled_first_are_rewritten_with_proof() -> None:
    text = f"""{STRING}
    void f(int n, float *restrict x, float (*restrict y)[64], float (*restrict z)[64])
    {{
      for (int i = 0; i < n; i++) {{
        memset(y[i], 0, 64 * sizeof(float));
        for (int j = 0; j < 64; j++)
          for (int k = 0; k < 64; k++)
            y[i][j] += z[k][j] * x[i];
      }}
    }}"""
    result = optimize(text, autodetect=True)
    assert result.proof
    assert None not in result.proof
    assert "memset(y[" in result.code
