"""The lines and rays of cones, against isl's own conditions for functions that are not negative."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright.polyhedra.generators import Generators, generators, generators_of_set
from loopwright.polyhedra.integer_matrices import Vector, rank
from loopwright.polyhedra.lexmin import Allowance, OutOfTime

WIDTH = 4
VECTOR = st.tuples(*[st.integers(-3, 3)] * WIDTH)
ORDER = isl.dim_type.set, isl.dim_type.cst, isl.dim_type.param, isl.dim_type.div


def matrix(rows: Sequence[Vector], width: int) -> isl.Mat:
    found = isl.Mat.alloc(isl.DEFAULT_CONTEXT, len(rows), width + 1)
    for at, row in enumerate(rows):
        for column, value in enumerate((*row, 0)):
            found = found.set_element_val(at, column, isl.Val(value))
    return found


def solutions(equalities: Sequence[Vector], inequalities: Sequence[Vector], width: int):
    """The vectors on which rows are zero, or not negative."""
    space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, width)
    rows = matrix(equalities, width), matrix(inequalities, width)
    return isl.BasicSet.from_constraint_matrices(space, *rows, *ORDER)


def conditions(found: Generators, width: int) -> isl.BasicSet:
    """The functions that are zero on the lines and not negative on the rays."""
    return solutions(found.lines, found.rays, width)


def conditions_of_isl(points: isl.BasicSet) -> isl.Set:
    """The same, from isl: without names, so that the two can be compared."""
    found = isl.Set.from_basic_set(points).coefficients()
    rows = found.equalities_matrix(*ORDER), found.inequalities_matrix(*ORDER)
    space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, found.dim(isl.dim_type.set))
    return isl.Set.from_basic_set(isl.BasicSet.from_constraint_matrices(space, *rows, *ORDER))


# --- cones ----------------------------------------------------------------------------------------


@given(st.lists(VECTOR, max_size=2), st.lists(VECTOR, max_size=7))
@settings(max_examples=200, deadline=None)
def test_generators_give_the_conditions_of_isl(
    equalities: list[Vector], inequalities: list[Vector]
) -> None:
    found = generators(equalities, inequalities, WIDTH, Allowance())
    constant = (1,) + (0,) * WIDTH
    with_constant = Generators(
        tuple((0, *line) for line in found.lines),
        (constant, *((0, *ray) for ray in found.rays)),
    )
    expected = conditions_of_isl(solutions(equalities, inequalities, WIDTH))
    assert conditions(with_constant, WIDTH + 1).is_equal(expected.get_basic_sets()[0])


@given(st.lists(VECTOR, max_size=2), st.lists(VECTOR, max_size=7))
@settings(max_examples=200, deadline=None)
def test_no_generator_can_be_spared(equalities: list[Vector], inequalities: list[Vector]) -> None:
    found = generators(equalities, inequalities, WIDTH, Allowance())
    assert rank(found.lines) == len(found.lines)
    whole = conditions(found, WIDTH)
    for at in range(len(found.rays)):
        others = Generators(found.lines, found.rays[:at] + found.rays[at + 1 :])
        assert not conditions(others, WIDTH).is_subset(whole)


def test_a_cube_has_its_corners() -> None:
    """Of which isl's elimination of multipliers would not come to an end."""
    size = 8
    names = [f"x{at}" for at in range(size)]
    bounds = " and ".join(f"0 <= {name} <= 1" for name in names)
    cube = isl.BasicSet(f"{{ [{', '.join(names)}] : {bounds} }}")
    found = generators_of_set(cube, Allowance())
    assert found.lines == ()
    assert set(found.rays) == {
        (1, *(at >> bit & 1 for bit in range(size))) for at in range(2**size)
    }


def test_the_work_ends_when_the_time_is_over() -> None:
    rows = [tuple(int(at == column) for column in range(30)) for at in range(30)]
    with pytest.raises(OutOfTime):
        generators([], rows, 30, Allowance(0.0))


# --- sets -----------------------------------------------------------------------------------------

SETS = {
    "bounded": "[n] -> { [x, y] : 0 <= x < n and 0 <= y <= x and n <= 10 }",
    "unbounded": "[n, m] -> { [x, y] : 0 <= x < n and 2 y >= 3 x - m }",
    "with lines": "[n] -> { [x, y, z] : 0 <= x <= y + z and n >= 3 }",
    "all": "[n] -> { [x] }",
    "lower-dimensional": "[n] -> { [x, y, z] : 2 x = 3 y + n and z <= x and x <= z and y >= 1 }",
    "a point": "{ [x, y] : x = 3 and y = -2 }",
    "no integers": "{ [x, y] : 3 x + 2 y >= 2 and 2 x - 5 y <= 0 and 7 x + 6 y <= 6 and y <= 2 x }",
}


@pytest.mark.parametrize("text", SETS.values(), ids=SETS)
def test_sets_have_the_conditions_of_isl(text: str) -> None:
    points = isl.BasicSet(text)
    found = generators_of_set(points, Allowance())
    width = 1 + points.dim(isl.dim_type.param) + points.dim(isl.dim_type.set)
    expected = conditions_of_isl(points)
    assert conditions(found, width).is_equal(expected.get_basic_sets()[0])


def test_the_set_without_integers_is_not_empty_for_fractions() -> None:
    points = isl.BasicSet(SETS["no integers"])
    assert points.is_empty()
    assert any(ray[0] > 1 for ray in generators_of_set(points, Allowance()).rays)
