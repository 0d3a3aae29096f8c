"""Bounds that only serve to fold two loops into one (PPCG §7.5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import islpy as isl

from loopwright.polyhedra.integer_matrices import (
    Vector,
    independent_directions,
    independent_rows,
    null_space,
)

SET, CST, PARAM, DIV = isl.dim_type.set, isl.dim_type.cst, isl.dim_type.param, isl.dim_type.div


def half(size: int) -> int:
    """Half of a size, rounded up: what a coefficient may be beside a loop of that size.

    A coordinate that the others fix has size 0; it may still have a coefficient.
    """
    return max(1, -(-size // 2))


def coefficient_bounds(sizes: Sequence[int | None]) -> list[int | None]:
    """What each coefficient may be at most: half the least size of the other coordinates (104).

    >>> coefficient_bounds([5, None, 100])
    [50, 3, 3]
    """
    bounds: list[int | None] = []
    for at in range(len(sizes)):
        others = [
            half(size) for other, size in enumerate(sizes) if other != at and size is not None
        ]
        bounds.append(min(others) if others else None)
    return bounds


def coalesced(coefficients: Vector, sizes: Sequence[int | None]) -> int | None:
    """A coordinate that the coefficients fold into another one (105), if there is any.

    >>> coalesced((10000, 1), [None, 9999])
    1
    """
    for at, size in enumerate(sizes):
        if size is None or not coefficients[at]:
            continue
        limit = half(size) * abs(coefficients[at])
        if any(abs(value) > limit for other, value in enumerate(coefficients) if other != at):
            return at
    return None


def without_coalescing_bounds(
    differences: Sequence[isl.BasicSet], sizes: Sequence[int | None]
) -> list[isl.BasicSet]:
    """The differences without bounds that are the size of the domain (§7.5.5).

    What then extends to both sides without end is one line: the differences on it count as equal.
    """
    if all(size is None for size in sizes):
        return list(differences)
    larger = [_without_bounds(each, sizes) for each in differences]
    if all(new is old for new, old in zip(larger, differences, strict=True)):
        return larger
    across = _across(larger, len(sizes))
    return [_along(each, across) for each in larger]


def _without_bounds(differences: isl.BasicSet, sizes: Sequence[int | None]) -> isl.BasicSet:
    constraints = differences.get_constraints()
    kept = [each for each in constraints if each.is_equality() or not _is_size_bound(each, sizes)]
    if len(kept) == len(constraints):
        return differences
    return reduce(isl.BasicSet.add_constraint, kept, isl.BasicSet.universe(differences.get_space()))


def _is_size_bound(constraint: isl.Constraint, sizes: Sequence[int | None]) -> bool:
    """Is it -size <= difference or difference <= size, of one coordinate?"""
    space = constraint.get_space()
    for at in range(space.dim(PARAM)):
        if not constraint.get_coefficient_val(PARAM, at).is_zero():
            return False
    values = [constraint.get_coefficient_val(SET, at).to_python() for at in range(len(sizes))]
    used = [at for at, value in enumerate(values) if value]
    if len(used) != 1 or abs(values[used[0]]) != 1:
        return False
    size = sizes[used[0]]
    return size is not None and constraint.get_constant_val().to_python() == size


def _across(differences: Sequence[isl.BasicSet], width: int) -> tuple[Vector, ...]:
    """Functions that are the same all along the lines of the differences (114).

    A line is a direction in which a disjunct extends to both sides without end: all its
    constraints, without parameters and constants, vanish there.
    """
    lines: list[Vector] = []
    for each in differences:
        rows = {
            tuple(constraint.get_coefficient_val(SET, at).to_python() for at in range(width))
            for constraint in each.get_constraints()
        }
        lines = independent_rows([*lines, *null_space(sorted(rows), width)])
    return independent_directions(lines, width)


def _along(differences: isl.BasicSet, across: Sequence[Vector]) -> isl.BasicSet:
    """The differences and all that lie on a line with one of them."""
    if len(across) == differences.dim(SET):
        return differences
    space = differences.get_space().map_from_set()
    same = isl.BasicMap.universe(space)
    local = isl.LocalSpace.from_space(space)
    for row in across:
        equal = isl.Constraint.alloc_equality(local)
        for at, value in enumerate(row):
            if value:
                equal = equal.set_coefficient_val(isl.dim_type.in_, at, isl.Val(value))
                equal = equal.set_coefficient_val(isl.dim_type.out, at, isl.Val(-value))
        same = same.add_constraint(equal)
    return differences.apply(same).remove_divs()
