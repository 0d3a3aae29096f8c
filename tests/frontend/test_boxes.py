"""Boxes around conditions: whatever they say about a value, isl says so too."""

from __future__ import annotations

import islpy as isl
from hypothesis import assume, given
from hypothesis import strategies as st

from loopwright.polyhedra.boxes import Box
from loopwright.polyhedra.values import beyond, constant, floor_quotient, unknown

FACTORS = st.integers(-4, 4)
TERMS = st.tuples(FACTORS, FACTORS, st.integers(-9, 9))
CONDITIONS = st.lists(TERMS, max_size=4)
DIVISORS = st.integers(1, 5)
LARGEST = 20
SQUARE = isl.Set(f"[i, n] -> {{ : -{LARGEST} <= i, n <= {LARGEST} }}")


def affine(terms: tuple[int, int, int]) -> isl.PwAff:
    """``a i + b n + c``."""
    first, second, third = (constant(each) for each in terms)
    return unknown("i").mul(first) + unknown("n").mul(second) + third


def where(conditions: list[tuple[int, int, int]]) -> isl.Set:
    """Somewhere in a square, or in what some half planes leave of it."""
    found = SQUARE
    for each in conditions:
        found = found & affine(each).ge_set(constant(0))
    return found


@given(CONDITIONS, CONDITIONS, TERMS, DIVISORS, TERMS, st.integers(-3, 3))
def test_a_value_lies_between_the_ends(
    one: list[tuple[int, int, int]],
    other: list[tuple[int, int, int]],
    plain: tuple[int, int, int],
    divisor: int,
    divided: tuple[int, int, int],
    factor: int,
) -> None:
    condition = where(one) | where(other)
    quotient = floor_quotient(affine(divided), divisor)
    value = affine(plain) + quotient.mul(constant(factor))
    ends = Box(condition).ends(value)
    assume(ends is not None)
    assert ends is not None
    assert (condition & beyond(ends[0], value, ends[1])).is_empty()


def test_the_ends_of_a_single_unknown_are_its_own() -> None:
    box = Box(isl.Set("[i, n] -> { : 3 <= i < n <= 10 }"))
    assert box.ends(unknown("i")) == (3, 9)
    assert box.ends(unknown("n").neg()) == (-10, -4)


def test_all_pieces_count() -> None:
    box = Box(isl.Set("[i] -> { : 0 <= i <= 7 }"))
    assert box.ends(unknown("i").max(constant(5))) == (0, 7)
    assert box.ends(isl.PwAff("[i] -> { [i] : i < 2; [100 - i] : i >= 2 }")) == (0, 100)


def test_what_has_no_end_is_not_known() -> None:
    box = Box(isl.Set("[i, n] -> { : 0 <= i < n }"))
    assert box.ends(unknown("i")) is None
    assert box.ends(unknown("elsewhere")) is None
    assert box.ends(constant(4)) == (4, 4)
