"""Our lexicographic minimum against isl's, on random problems."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright.polyhedra.lexmin import Allowance, LexicographicMinimum, NoSolution, OutOfTime

Constraint = tuple[bool, dict[int, int], int]
"""Is it an equality?  The coefficients and the constant."""


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, list[Constraint]]:
    """A few constraints on a few unknowns."""
    size = draw(st.integers(1, 6))
    factors = st.dictionaries(st.integers(0, size - 1), st.integers(-4, 4))
    constraint = st.tuples(st.booleans(), factors, st.integers(-9, 9))
    return size, draw(st.lists(constraint, max_size=7))


def isl_minimum(size: int, constraints: Sequence[Constraint]) -> list[isl.Val] | None:
    """What isl says, or ``None`` if there is no point."""
    names = [f"x{at}" for at in range(size)]
    texts = [f"{name} >= 0" for name in names]
    for is_equality, factors, constant in constraints:
        total = " + ".join([*(f"{value} x{at}" for at, value in factors.items()), str(constant)])
        texts.append(f"{total} {'=' if is_equality else '>='} 0")
    points = isl.Set(f"{{ [{', '.join(names)}] : {' and '.join(texts)} }}").lexmin()
    if points.is_empty():
        return None
    point = points.sample_point()
    return [point.get_coordinate_val(isl.dim_type.set, at) for at in range(size)]


def constrained(size: int, constraints: Sequence[Constraint]) -> LexicographicMinimum:
    """Our problem under the constraints."""
    problem = LexicographicMinimum(size)
    for is_equality, factors, constant in constraints:
        add = problem.exactly_zero if is_equality else problem.at_least_zero
        add(factors, constant)
    return problem


@given(problems())
@settings(max_examples=400, deadline=None)
def test_the_least_integer_point_is_isls(drawn: tuple[int, list[Constraint]]) -> None:
    size, constraints = drawn
    expected = isl_minimum(size, constraints)
    try:
        found = constrained(size, constraints).solution()
    except NoSolution:
        assert expected is None
        return
    assert expected is not None
    assert found == [value.to_python() for value in expected]


@given(problems(), st.data())
@settings(max_examples=100, deadline=None)
def test_a_copy_goes_its_own_way(drawn: tuple[int, list[Constraint]], data: st.DataObject) -> None:
    size, constraints = drawn
    cut = data.draw(st.integers(0, len(constraints)))
    try:
        problem = constrained(size, constraints[:cut])
        before = problem.solution()
    except NoSolution:
        return
    twin = problem.copy()
    try:
        for is_equality, factors, constant in constraints[cut:]:
            (twin.exactly_zero if is_equality else twin.at_least_zero)(factors, constant)
        found = twin.solution()
    except NoSolution:
        found = None
    expected = isl_minimum(size, constraints)
    assert found == (None if expected is None else [value.to_python() for value in expected])
    assert problem.solution() == before


def test_the_least_rational_point_comes_as_numerators() -> None:
    problem = constrained(2, [(False, {0: 2, 1: 3}, -7), (False, {1: -1}, 1)])
    assert problem.solution(integral=False) == [2, 1]
    problem = constrained(2, [(False, {0: 2, 1: 1}, -3), (False, {1: -2}, 1)])
    assert problem.solution(integral=False) == [5, 2]
    assert not problem.is_integral
    assert problem.solution() == [2, 0]


def test_sums_come_first() -> None:
    problem = LexicographicMinimum(3, sums={0: {1: 1, 2: 3}})
    problem.at_least_zero({1: 1, 2: 2}, -4)
    assert problem.solution() == [4, 4, 0]


def test_a_search_ends_when_its_time_is_over() -> None:
    problem = LexicographicMinimum(40, allowance=Allowance(1e-9))

    def search() -> None:
        for at in range(40):
            problem.at_least_zero({at: 1, (at + 1) % 40: -2}, -1 - at)
        problem.solution()

    with pytest.raises(OutOfTime):
        search()
