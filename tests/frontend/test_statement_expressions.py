"""What macros of GNU's compilers compute, headers for other compilers, and old habits."""

from __future__ import annotations

import pytest

from loopwright import InputError, optimize, read_c

from .expectations import model_of, scop_of

MACROS = """
#define MIN(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })
#define MAX(a, b) __extension__ ({ __typeof__(a) _a = (a), _c = _a; _c > (b) ? _c : (b); })
#define NEXT(a) ({ int _n = a; _n++; _n; })
#define COUNT(a) ({ int _n = a++; _n; })
#define ITSELF(a) ({ int _n = _n + a; _n; })
"""


def test_macros_of_minimum_and_maximum_are_exact_in_bounds() -> None:
    scop = model_of("for (int i = MAX(0, n - 9); i < MIN(n, 64); i++) A[i] = 1;", prelude=MACROS)
    assert scop.statements[0].domain.is_equal(
        model_of(
            "for (int i = 0 > n - 9 ? 0 : n - 9; i < (n < 64 ? n : 64); i++) A[i] = 1;"
        ).statements[0].domain
    )  # fmt: skip


@pytest.mark.parametrize("macro", ["NEXT(n)", "COUNT(n)", "ITSELF(n)"])
def test_those_that_do_more_are_refused(macro: str) -> None:
    with pytest.raises(InputError, match="LW208"):
        model_of(f"for (int i = 0; i < {macro}; i++) A[i] = 1;", prelude=MACROS)


def test_they_are_rewritten_with_proof() -> None:
    text = f"""{MACROS}
    void f(int n, float *restrict x, float (*restrict y)[64])
    {{
      for (int k = 0; k < MIN(n, 64); k++)
        for (int i = MAX(0, k - 3); i < n; i++)
          y[i][k] = MAX(MIN(y[i][k], 3.0f), x[i]);
    }}"""
    result = optimize(text, autodetect=True)
    assert result.proof
    assert None not in result.proof


def test_bodies_in_headers_of_other_compilers_are_skipped() -> None:
    scop_of(
        """#include <immintrin.h>
        void f(int n, float *a) { for (int i = 0; i < n; i++) a[i] = 2; }
        """,
        autodetect=True,
    )


def test_what_such_a_header_defines_is_not_followed() -> None:
    scop = model_of(
        "for (int i = 0; i < n; i++) { A[i] = 1; A[i] += _mm_cvtss_f32(_mm_setzero_ps()); }",
        prelude="#include <immintrin.h>",
    )
    assert any(each.variable_type == "" for each in scop.arrays)  # the outside world


def test_a_type_may_be_implicit_as_in_old_programs() -> None:
    scop_of(
        "foo(x) double *x; { register i; for (i = 0; i < 9; i++) x[i] *= 2; }\n", autodetect=True
    )


@pytest.mark.parametrize("word", ["true", "false"])
def test_truth_is_a_constant_in_cpp(word: str) -> None:
    (scop,) = read_c(
        f"void f(int n, bool *a) {{ for (int i = 0; i < n; i++) a[i] = {word}; }}\n",
        standard="gnu++17",
        autodetect=True,
    )
    assert not scop.statements[0].is_dynamic
