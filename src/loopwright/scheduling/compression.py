"""Coordinates for the instances of a statement, as many as there are dimensions (PPCG §7.2)."""

from __future__ import annotations

import islpy as isl

from loopwright.polyhedra.integer_matrices import Vector, identity, remaining_coordinates

SET, PARAM = isl.dim_type.set, isl.dim_type.param


def coordinates_of(domain: isl.Set) -> tuple[Vector, ...]:
    """Functions of the iterators that tell the instances apart.

    >>> coordinates_of(isl.Set("[n] -> { S[i, j] : j = n and 0 <= i < n }"))
    ((1, 0),)
    """
    width = domain.dim(SET)
    rows = _rows(domain.affine_hull(), width)
    equalities = [row for row in rows if any(row)]
    return remaining_coordinates(equalities, width) if equalities else identity(width)


def _rows(hull: isl.BasicSet, width: int) -> list[Vector]:
    """The coefficients of the iterators in the equalities without hidden integers."""
    hull = hull.remove_divs()
    matrix = hull.equalities_matrix(SET, isl.dim_type.cst, PARAM, isl.dim_type.div)
    return [
        tuple(matrix.get_element_val(row, column).to_python() for column in range(width))
        for row in range(matrix.rows())
    ]


def to_coordinates(space: isl.Space, coordinates: tuple[Vector, ...]) -> isl.Map:
    """From instances to their coordinates, under the same name.

    >>> space = isl.Space("{ S[i, j] }")
    >>> print(to_coordinates(space, ((1, 0), (1, -1))))
    { S[i, j] -> S[i, i - j] }
    """
    local = isl.LocalSpace.from_space(space)
    functions = isl.AffList.alloc(space.get_ctx(), len(coordinates))
    for row in coordinates:
        value = isl.Aff.zero_on_domain(local)
        for at, factor in enumerate(row):
            if factor:
                value = value.set_coefficient_val(isl.dim_type.in_, at, isl.Val(factor))
        functions = functions.add(value)
    target = space.drop_all_params().align_params(space)
    target = target.drop_dims(SET, 0, space.dim(SET)).add_dims(SET, len(coordinates))
    if space.has_tuple_id(SET):
        target = target.set_tuple_id(SET, space.get_tuple_id(SET))
    between = space.map_from_domain_and_range(target)
    return isl.Map.from_multi_aff(isl.MultiAff.from_aff_list(between, functions))
