"""How large a set of instances is along each coordinate (PPCG §7.5.2)."""

from __future__ import annotations

import islpy as isl

from loopwright.polyhedra.extremes import greatest_value

SET, PARAM = isl.dim_type.set, isl.dim_type.param


def sizes_of(domain: isl.Set) -> tuple[int | None, ...]:
    """The greatest distance along each coordinate while the others stay, if there is one.

    >>> sizes_of(isl.Set("{ [x, y] : x >= 0 and x <= y and x + y <= 100 }"))
    (50, 100)
    """
    return tuple(_size(domain, at) for at in range(domain.dim(SET)))


def _size(domain: isl.Set, at: int) -> int | None:
    others = domain.dim(SET)
    same = isl.Map.identity(domain.get_space().map_from_set())
    same = same.drop_constraints_involving_dims(isl.dim_type.in_, at, 1)
    assert others > at
    differences = same.intersect_domain(domain).intersect_range(domain).deltas()
    differences = differences.project_out(PARAM, 0, differences.dim(PARAM))
    greatest = greatest_value(differences, at)
    return greatest.to_python() if greatest.is_int() else None
