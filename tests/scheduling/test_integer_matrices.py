"""Null spaces and coordinates of random integer matrices."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright.polyhedra.integer_matrices import (
    Vector,
    dot,
    independent_directions,
    null_space,
    rank,
    remaining_coordinates,
)

WIDTH = 3
ROWS = st.lists(st.tuples(*[st.integers(-4, 4)] * WIDTH), max_size=3)
VECTORS = list(product(range(-3, 4), repeat=WIDTH))


@given(ROWS)
@settings(max_examples=200, deadline=None)
def test_a_null_space_is_all_that_vanishes(rows: list[Vector]) -> None:
    found = null_space(rows, WIDTH)
    assert all(dot(row, vector) == 0 for row in rows for vector in found)
    assert rank(found) == len(found) == WIDTH - rank(rows)


@given(ROWS)
@settings(max_examples=100, deadline=None)
def test_directions_vanish_just_on_what_depends_on_the_rows(rows: list[Vector]) -> None:
    directions = independent_directions(rows, WIDTH)
    for vector in VECTORS:
        is_dependent = rank([*rows, vector]) == rank(rows)
        assert is_dependent == (not any(dot(each, vector) for each in directions))
    for each in directions:
        assert next(value for value in each if value) > 0


@given(ROWS)
@settings(max_examples=100, deadline=None)
def test_coordinates_tell_the_points_of_a_space_apart(rows: list[Vector]) -> None:
    coordinates = remaining_coordinates(rows, WIDTH)
    assert len(coordinates) == WIDTH - rank(rows)
    inside = [each for each in VECTORS if all(dot(row, each) == 0 for row in rows)]
    values = {tuple(dot(row, each) for row in coordinates) for each in inside}
    assert len(values) == len(inside)


@given(st.tuples(*[st.integers(-6, 6)] * WIDTH).filter(any))
@settings(max_examples=100, deadline=None)
def test_every_value_of_the_coordinates_is_a_point(row: Vector) -> None:
    coordinates = remaining_coordinates([row], WIDTH)
    wide = product(range(-12, 13), repeat=WIDTH)
    values = {
        tuple(dot(each, point) for each in coordinates) for point in wide if dot(row, point) == 0
    }
    assert {(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)} <= values
