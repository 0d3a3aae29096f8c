"""Which affine functions are not negative on all pairs of whole numbers in a set.

Farkas' lemma is about rational points.  A loop with a stride runs at the points of a lattice only,
and the fractions between them must not count: where i is even, i >= 5 means i >= 6.  So the
equalities of a set, with its hidden integers, are solved in whole numbers first.  In the
coordinates of their solutions each constraint is tightened: 2e >= 5 becomes e >= 3.

The answer is exact if the polyhedron of the tightened constraints has whole vertices, as that of
bounds and strides has.  Otherwise its fractional vertices count, too: a function that is negative
there alone is refused.  Never is one accepted that is negative for a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.farkas import Multiplier
from loopwright.polyhedra.generators import generators
from loopwright.polyhedra.integer_matrices import Vector, combined, dot, identity, primitive
from loopwright.polyhedra.lexmin import Allowance

PARAM, SET, HIDDEN = isl.dim_type.param, isl.dim_type.set, isl.dim_type.div


def parts_of(points: isl.Set) -> list[isl.BasicSet]:
    """The parts of a set that have a point, with their hidden integers."""
    return [each for each in points.get_basic_sets() if not each.is_empty()]


def conditions_of(part: isl.BasicSet, source: int, allowance: Allowance) -> tuple[Multiplier, ...]:
    """What a function must meet to be not negative on a part of a set of pairs, see above.

    The first ``source`` dimensions are those of the first instance.

    >>> even = isl.BasicSet("{ [i] : i mod 2 = 0 and 5 <= i <= 9 }")
    >>> [(each.constant, each.sink) for each in conditions_of(even, 0, Allowance())]
    [(1, (6,)), (1, (8,))]
    """
    part = part.detect_equalities()
    order = isl.dim_type.cst, PARAM, SET, HIDDEN
    lattice = _solutions(
        _rows(part.equalities_matrix(*order)), sum(map(part.dim, (PARAM, SET, HIDDEN)))
    )
    bounds = [lattice.tightened(row) for row in _rows(part.inequalities_matrix(*order))]
    width = 1 + len(lattice.directions)
    is_point = (1,) + (0,) * (width - 1)
    cone = generators([], [is_point, *(each for each in bounds if any(each))], width, allowance)
    first = 1 + part.dim(PARAM)
    sink, end = first + source, first + part.dim(SET)
    found: dict[Multiplier, None] = {}
    for is_equality, rows in ((True, cone.lines), (False, cone.rays)):
        for row in (primitive(lattice.point(each)[:end]) for each in rows):
            if any(row):
                parts = row[0], row[1:first], row[first:sink], row[sink:]
                found[Multiplier(*parts, is_equality)] = None
    return tuple(found)


def _rows(matrix: isl.Mat) -> list[Vector]:
    columns = range(matrix.cols())
    return [
        tuple(matrix.get_element_val(row, column).to_python() for column in columns)
        for row in range(matrix.rows())
    ]


@record
class _Lattice:
    """The points ``origin`` + y·``directions`` for whole y; each vector has a one or zero ahead."""

    origin: Vector
    directions: tuple[Vector, ...]

    def point(self, coordinates: Sequence[int]) -> Vector:
        """The point, or a multiple of it: as often as the first of the coordinates says."""
        return combined(coordinates, (self.origin, *self.directions), len(self.origin))

    def tightened(self, row: Vector) -> Vector:
        """A row that is not negative just where the given one is, on whole coordinates."""
        factors = [dot(row, each) for each in self.directions]
        step = gcd(*factors)
        if not step:
            assert dot(row, self.origin) >= 0, "the part has a point"
            return (0,) * (1 + len(factors))
        return dot(row, self.origin) // step, *(each // step for each in factors)


def _solutions(equalities: Sequence[Vector], width: int) -> _Lattice:
    """All whole solutions of equations that have some; the constants are ahead.

    >>> _solutions([(-1, 2, -3)], 2)
    _Lattice(origin=(1, 2, 1), directions=((0, -3, -2),))
    """
    origin, *directions = identity(1 + width)
    for row in equalities:
        across, directions = _separated(row, directions)
        value, step = dot(row, origin), dot(row, across) if across else 0
        assert value % step == 0 if step else value == 0, "the part has a point"
        if across is not None:
            origin = _moved(origin, across, -value // step)
    return _Lattice(origin, tuple(directions))


def _separated(row: Vector, directions: Sequence[Vector]) -> tuple[Vector | None, list[Vector]]:
    """Directions that span the same lattice, all but the first one along the row (Euclid)."""
    along = [each for each in directions if not dot(row, each)]
    left = [each for each in directions if dot(row, each)]
    while len(left) > 1:
        shortest = min(left, key=lambda each: abs(dot(row, each)))
        moved = [
            each
            if each is shortest
            else _moved(each, shortest, -(dot(row, each) // dot(row, shortest)))
            for each in left
        ]
        along += [each for each in moved if not dot(row, each)]
        left = [each for each in moved if dot(row, each)]
    return (left[0] if left else None), along


def _moved(vector: Vector, direction: Vector, times: int) -> Vector:
    return tuple(a + times * b for a, b in zip(vector, direction, strict=True))
