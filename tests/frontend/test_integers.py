"""Integer arithmetic as C does it: truncation, conversions, wrapping."""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl
import pytest

from .expectations import (
    codes,
    expect,
    instances_of,
    model_of,
    quotient,
    reasons,
    remainder,
    restricted,
    same,
    written,
)

VALUES = range(-9, 10)
ARRAY = "double A[2000]"

SIGNED: dict[str, Callable[[int], int]] = {
    "i / 2": lambda i: quotient(i, 2),
    "i / -2": lambda i: quotient(i, -2),
    "-i / 3": lambda i: quotient(-i, 3),
    "(2 * i + 1) / 3": lambda i: quotient(2 * i + 1, 3),
    "(i - 1) / 4 * 4": lambda i: quotient(i - 1, 4) * 4,
    "i % 3": lambda i: remainder(i, 3),
    "i % -3": lambda i: remainder(i, -3),
    "-i % 3": lambda i: remainder(-i, 3),
    "-(i % 3)": lambda i: -remainder(i, 3),
    "(i + 100) % 3": lambda i: (i + 100) % 3,
    "i / 2 % 2": lambda i: remainder(quotient(i, 2), 2),
    "i % 4 / 2": lambda i: quotient(remainder(i, 4), 2),
    "i >> 1": lambda i: i >> 1,
    "(i + 9) << 2": lambda i: (i + 9) << 2,
    "i & 3": lambda i: i & 3,
    "7 & i": lambda i: 7 & i,
    "~i": lambda i: ~i,
    "+i": lambda i: i,
    "i < 0 ? -i : i": abs,
    "i > 2 ? i - 2 : i < -2 ? i + 2 : 0": lambda i: i - 2 if i > 2 else i + 2 if i < -2 else 0,
    "i > 2": lambda i: int(i > 2),
    "!i": lambda i: int(not i),
    "i && i != 3": lambda i: int(i != 0 and i != 3),
    "10 * (i < 3) + (i == 3)": lambda i: 10 * (i < 3) + (i == 3),
    "i * 2 - 3 * i": lambda i: -i,
    "'a' - 97 + i": lambda i: i,
    "abs(i)": abs,
}


@pytest.mark.parametrize("expression", SIGNED)
def test_signed_arithmetic_in_subscripts(expression: str) -> None:
    prelude = "int abs(int);"
    body = f"for (int i = -9; i <= 9; i++) A[({expression}) + 1000] = 0;"
    element = SIGNED[expression]
    scop = model_of(body, ARRAY, prelude=prelude)
    expect(
        scop,
        writes=written("S0", VALUES, lambda i: element(i) + 1000, "A"),
        reads="{ }",
        context="{ : }",
    )


CONVERSIONS: dict[str, Callable[[int], int]] = {
    "(long) i": lambda i: i,
    "(short) i": lambda i: i,
    "(unsigned char) i": lambda i: i % 256,
    "(signed char) (i * 20)": lambda i: (i * 20 + 128) % 256 - 128,
    "(short) (i * 10000)": lambda i: (i * 10000 + 2**15) % 2**16 - 2**15,
    "(int) (unsigned char) (i + 300)": lambda i: (i + 300) % 256,
    "(unsigned short) i / 2": lambda i: i % 2**16 // 2,
    "(int) ((unsigned) i / 2)": lambda i: i % 2**32 // 2,
    "(int) ((unsigned) i % 7)": lambda i: i % 2**32 % 7,
    "(unsigned) i > 5": lambda i: int(i % 2**32 > 5),
    "i > 5u": lambda i: int(i % 2**32 > 5),
    "i < sizeof(int)": lambda i: int(i % 2**64 < 4),
    "(int) (i + 1u)": lambda i: i + 1,
    "(int) (i * 3ul)": lambda i: i * 3,
}


@pytest.mark.parametrize("expression", CONVERSIONS)
def test_conversions_between_integer_types(expression: str) -> None:
    body = f"for (int i = -9; i <= 9; i++) A[({expression})] = 0;"
    element = CONVERSIONS[expression]
    expect(model_of(body, "double *A"), writes=written("S0", VALUES, element, "A"), context="{ : }")


def test_a_conversion_to_a_wider_type_says_nothing() -> None:
    scop = model_of("for (int i = 0; i < n; i++) A[(long) i + (short) 3] = 0;")
    expect(scop, writes="[n] -> { S0[i] -> A[i + 3] : 0 <= i < n }", context="{ : }")
    assert not scop.notes


def test_a_conversion_that_certainly_wraps_is_computed_and_told() -> None:
    scop = model_of("for (int i = 0; i < 600; i++) A[(unsigned char) i] = 0;")
    expect(scop, writes="{ S0[i] -> A[i mod 256] : 0 <= i < 600 }", context="{ : }")
    assert codes(scop) == {"LW302"}


def test_division_by_a_parameter_is_not_affine() -> None:
    scop = model_of("for (int i = 0; i < 9; i++) A[i / n] = 0;")
    expect(scop, instances="{ S0[i] : 0 <= i < 9 }", must_writes="{ }")
    expect(scop, may_writes="{ S0[i] -> A[x] : 0 <= i < 9 }")


# --- floord, ceild, min, max ----------

MACROS = """\
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
"""
FUNCTIONS = """\
static inline int floord(int n, int d) {
  return n < 0 ? -((-n + d - 1) / d) : n / d;
}
static inline int ceild(int n, int d) { return n < 0 ? -(-n / d) : (n + d - 1) / d; }
static inline int max(int x, int y) { return x > y ? x : y; }
static inline int min(int x, int y) { return x < y ? x : y; }
"""


@pytest.mark.parametrize("prelude", [MACROS, FUNCTIONS], ids=["macros", "functions"])
@pytest.mark.parametrize(
    ("header", "instances"),
    [
        ("int i = floord(n, 2); i < n; i++", "[n] -> { S0[i] : floor(n/2) <= i < n }"),
        ("int i = ceild(n, 3); i < n; i++", "[n] -> { S0[i] : n <= 3i and i < n }"),
        ("int i = max(n, 4); i < 9; i++", "[n] -> { S0[i] : i >= n and 4 <= i < 9 }"),
        ("int i = 0; i < min(n, 9); i++", "[n] -> { S0[i] : 0 <= i < n and i < 9 }"),
        (
            "int i = max(0, ceild(n - 7, 4)); i <= min(n, floord(n + 20, 8)); i++",
            "[n] -> { S0[i] : i >= 0 and n - 7 <= 4i and i <= n and 8i <= n + 20 }",
        ),
    ],
)
def test_quasi_affine_bounds(prelude: str, header: str, instances: str) -> None:
    scop = model_of(f"for ({header}) A[i] = 0;", prelude=prelude)
    expect(scop, instances=instances, context="{ : }")
    assert not scop.notes


@pytest.mark.parametrize("prelude", [MACROS, FUNCTIONS], ids=["macros", "functions"])
def test_quasi_affine_subscripts_and_conditions(prelude: str) -> None:
    body = """for (int i = -9; i <= 9; i++)
      if (floord(i, 4) == ceild(i, 4)) A[max(i, 0) + min(i, 3) + 50] = 0;"""
    scop = model_of(body, "double A[100]", prelude=prelude)
    values = [i for i in VALUES if i % 4 == 0]
    expect(scop, writes=written("S0", values, lambda i: max(i, 0) + min(i, 3) + 50, "A"))


def test_a_function_that_calls_a_function() -> None:
    prelude = (
        "static int twice(int x) { return 2 * x; } static int f(int x) { return twice(x) + 1; }"
    )
    scop = model_of("for (int i = 0; i < f(n); i++) A[f(i)] = 0;", prelude=prelude)
    expect(scop, writes="[n] -> { S0[i] -> A[2i + 1] : 0 <= i < 2n + 1 }")


def test_the_result_of_a_function_is_converted_to_its_type() -> None:
    prelude = "static unsigned char low(int x) { return x; }"
    scop = model_of("for (int i = -9; i <= 9; i++) A[low(i)] = 0;", prelude=prelude)
    expect(scop, writes=written("S0", VALUES, lambda i: i % 256, "A"))


def test_an_argument_is_converted_to_the_type_of_the_parameter() -> None:
    prelude = "static int same(unsigned char x) { return x; }"
    scop = model_of("for (int i = -9; i <= 9; i++) A[same(i)] = 0;", prelude=prelude)
    expect(scop, writes=written("S0", VALUES, lambda i: i % 256, "A"))


def test_a_recursive_function_has_no_affine_value() -> None:
    prelude = "static int f(int x) { return x <= 0 ? 0 : f(x - 1); }"
    scop = model_of("for (int i = 0; i < 4; i++) A[f(i)] = 0;", prelude=prelude)
    same(restricted(scop.may_writes(), "A"), "{ S0[i] -> A[x] : 0 <= i < 4 }")
    expect(scop, must_writes="{ }")


# --- locals ----------


def test_a_local_that_is_set_once_is_its_value() -> None:
    body = "for (int i = 0; i < n; i++) { int k = 2 * i + 1; const int m = k % 3; A[k + m] = 0; }"
    scop = model_of(body)
    expected = "[n] -> { S0[i] -> A[2i + 1 + (2i + 1) mod 3] : 0 <= i < n }"
    expect(scop, writes=expected, instances="[n] -> { S0[i] : 0 <= i < n }", kills="{ }")


def test_the_value_of_a_narrow_local_is_converted() -> None:
    body = "for (int i = 0; i < 600; i++) { unsigned char k = i; A[k] = 0; }"
    expect(model_of(body), writes="{ S0[i] -> A[i mod 256] : 0 <= i < 600 }")


def test_a_local_that_is_set_twice_is_data() -> None:
    body = "for (int i = 0; i < n; i++) { int k = i; k = k + 1; A[k] = 0; }"
    scop = model_of(body)
    assert [array.name for array in scop.arrays if array.is_local] == ["k"]
    same(restricted(scop.must_writes(), "A"), "{ }")


# --- iterators that wrap ----------

UPWARD = "[n] -> { S0[i] : 0 <= i < n }"


@pytest.mark.parametrize("type_", ["unsigned", "unsigned long", "size_t", "uint64_t"])
@pytest.mark.parametrize("header", ["T i = 0; i < n; i++", "T i = 0; i != n; ++i"])
def test_unsigned_loops_up_to_an_unsigned_bound_never_wrap(type_: str, header: str) -> None:
    body = f"for ({header.replace('T', type_)}) A[i] = 0;"
    prelude = "#include <stddef.h>\n#include <stdint.h>"
    scop = model_of(body, f"{type_} n, double *A", prelude=prelude)
    expect(scop, instances=UPWARD, context="[n] -> { : n >= 0 }")
    assert not scop.notes


def test_an_unsigned_countdown_to_one_never_wraps() -> None:
    scop = model_of("for (unsigned i = n; i > 0; i--) A[i - 1] = 0;", "unsigned n, double *A")
    expect(scop, writes="[n] -> { S0[i] -> A[i - 1] : 0 < i <= n }", context="[n] -> { : n >= 0 }")
    assert not scop.notes


def test_an_unsigned_countdown_that_ends_by_wrapping() -> None:
    scop = model_of("for (unsigned i = n - 1; i < n; i--) A[i] = 0;", "unsigned n, double *A")
    expect(scop, instances=UPWARD)
    assert codes(scop) <= {"LW301", "LW302"}
    assert scop.notes


def test_an_unsigned_countdown_below_zero_never_ends_unless_it_never_starts() -> None:
    body = "for (unsigned i = 5; i >= n; i--) A[i] = 0;"
    scop = model_of(body, "unsigned n, double *A")
    expect(scop, instances="[n] -> { S0[i] : n <= i <= 5 }", context="[n] -> { : n >= 1 }")


def test_an_iterator_that_certainly_wraps_is_followed() -> None:
    scop = model_of("for (unsigned char i = 250; i != 4; i++) A[i] = 0;")
    expect(scop, instances="{ S0[i] : 250 <= i <= 255 or 0 <= i < 4 }", context="{ : }")
    assert codes(scop) == {"LW302"}


def test_a_signed_narrow_iterator_wraps_to_the_least_value() -> None:
    scop = model_of("for (signed char i = 100; i > 0; i++) A[i] = 0;")
    expect(scop, instances="{ S0[i] : 100 <= i <= 127 }", context="{ : }")


def test_a_narrow_iterator_with_a_wide_bound_is_assumed_not_to_wrap() -> None:
    scop = model_of("for (unsigned char i = 0; i < n; i++) A[i] = 0;")
    expect(scop, instances=UPWARD, context="[n] -> { : n <= 255 }")
    assert codes(scop) == {"LW301"}
    assert "unsigned char" in reasons(scop)


def test_what_is_assumed_about_wrapping_is_as_simple_as_it_can_be() -> None:
    """Values that no ``int`` has need no piece of the context."""
    scop = model_of("for (unsigned char i = 0; i < n; i++) A[i] = 0;")
    assert scop.context.coalesce().n_basic_set() == 1


def test_a_narrow_iterator_with_a_narrow_bound_never_wraps() -> None:
    body = "for (unsigned char i = 0; i < n; i++) A[i] = 0;"
    scop = model_of(body, "unsigned char n, double *A")
    expect(scop, instances=UPWARD, context="[n] -> { : n >= 0 }")
    assert not scop.notes


def test_a_strided_unsigned_iterator_may_jump_over_its_bound() -> None:
    scop = model_of("for (unsigned i = 0; i < n; i += 4) A[i] = 0;", "unsigned n, double *A")
    expect(
        scop,
        instances="[n] -> { S0[i] : 0 <= i < n and i mod 4 = 0 }",
        context=f"[n] -> {{ : 0 <= n <= {2**32 - 4} }}",
    )
    assert codes(scop) == {"LW301"}


def test_a_signed_bound_of_an_unsigned_loop_is_assumed_not_negative() -> None:
    scop = model_of("for (unsigned i = 0; i < n; i++) A[i] = 0;")
    expect(scop, instances=UPWARD, context="[n] -> { : n >= 0 }")
    assert codes(scop) == {"LW301"}


def test_an_unsigned_subscript_wraps_below_zero() -> None:
    scop = model_of("for (unsigned i = 0; i < n; i++) A[i - 1] = 0;", "unsigned n, double *A")
    expected = f"[n] -> {{ S0[0] -> A[{2**32 - 1}] : n > 0; S0[i] -> A[i - 1] : 1 <= i < n }}"
    expect(scop, instances=UPWARD, writes=expected)
    assert codes(scop) == {"LW302"}


def test_unsigned_differences_in_conditions_wrap() -> None:
    body = "for (unsigned i = 0; i < 9; i++) if (i - 3 < 4) A[i] = 0;"
    scop = model_of(body)
    expect(scop, instances="{ S0[i] : 3 <= i < 7 }", context="{ : }")


def test_an_unsigned_parameter_is_not_negative() -> None:
    scop = model_of("A[n] = 0;", "unsigned n, double *A")
    assert scop.context.is_subset(isl.Set("[n] -> { : n >= 0 }"))


def test_signed_overflow_does_not_happen() -> None:
    scop = model_of("for (int i = 0; i < n; i++) A[i + 2000000000] = 0;")
    expect(scop, writes="[n] -> { S0[i] -> A[i + 2000000000] : 0 <= i < n }")
    assert not scop.notes
    same(instances_of(scop), UPWARD)
