"""Which affine functions are not negative on all pairs: Farkas' lemma without multipliers."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.generators import generators_of_set
from loopwright.polyhedra.integer_matrices import Vector
from loopwright.polyhedra.levels import approximated
from loopwright.polyhedra.lexmin import Allowance


@record
class Multiplier:
    """A condition on the coefficients of a function d + c·n + a·x + b·y that is valid on pairs.

    ``constant`` d + ``parameters``·c + ``source``·a + ``sink``·b >= 0, or = 0.  For pairs of
    instances of one statement the function is of the difference y - x, and ``source`` is empty.
    """

    constant: int
    parameters: Vector
    source: Vector
    sink: Vector
    is_equality: bool


def multipliers(
    disjunct: isl.BasicSet, source: int, allowance: Allowance
) -> tuple[Multiplier, ...]:
    """The conditions for a set of pairs: not negative on its rays, zero on its lines.

    The first ``source`` dimensions are those of x; the set is not empty and has no hidden integers.
    """
    cone = generators_of_set(disjunct, allowance)
    first = 1 + disjunct.dim(isl.dim_type.param)
    sink = first + source
    return tuple(
        Multiplier(row[0], row[1:first], row[first:sink], row[sink:], is_equality)
        for is_equality, rows in ((True, cone.lines), (False, cone.rays))
        for row in rows
    )


def disjuncts_of(points: isl.Set) -> list[isl.BasicSet]:
    """The parts of a set without hidden integers, which may make them larger."""
    if points.involves_locals():
        points = approximated(points, isl.Set.remove_divs)
    return [each for each in points.get_basic_sets() if not each.is_empty()]
