"""The lines and rays that span a cone given by constraints (Motzkin's double description)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.integer_matrices import (
    Vector,
    dot,
    negated,
    null_space,
    primitive,
)
from loopwright.polyhedra.lexmin import Allowance

PARAM, SET = isl.dim_type.param, isl.dim_type.set


@record
class Generators:
    """The cone of all sums of multiples of ``lines`` and of non-negative multiples of ``rays``.

    No line depends on the others, and no ray on the lines and the other rays.
    """

    lines: tuple[Vector, ...]
    rays: tuple[Vector, ...]


def generators_of_set(points: isl.BasicSet, allowance: Allowance) -> Generators:
    """The generators of the rational cone over a set that is not empty and has no hidden integers.

    It is that of all (t, tn, tx), t >= 0, for points x and parameters n, and of their limits.  The
    rays with t > 0 are the vertices, the others the directions without end.

    >>> generators_of_set(isl.BasicSet("{ [x, y] : 0 <= x <= 3 and 2y >= x }"), Allowance())
    Generators(lines=(), rays=((0, 0, 1), (1, 0, 0), (2, 6, 3)))
    """
    order = isl.dim_type.cst, PARAM, SET, isl.dim_type.div
    equalities = _rows(points.equalities_matrix(*order))
    inequalities = _rows(points.inequalities_matrix(*order))
    width = 1 + points.dim(PARAM) + points.dim(SET)
    not_negative = (1,) + (0,) * (width - 1)
    return generators(equalities, [not_negative, *inequalities], width, allowance)


def _rows(matrix: isl.Mat) -> list[Vector]:
    columns = range(matrix.cols())
    return [
        tuple(matrix.get_element_val(row, column).to_python() for column in columns)
        for row in range(matrix.rows())
    ]


def generators(
    equalities: Sequence[Sequence[int]],
    inequalities: Iterable[Sequence[int]],
    width: int,
    allowance: Allowance,
) -> Generators:
    """The generators of the vectors on which each row is zero, or not negative.

    >>> generators([], [(1, 0, 0), (0, 1, 0), (1, -1, 0)], 3, Allowance())
    Generators(lines=((0, 0, 1),), rays=((1, 0, 0), (1, 1, 0)))
    """
    cone = _Cone(null_space(equalities, width), allowance)
    for row in sorted(set(map(tuple, inequalities)), key=_sparse_first):
        cone.restrict(row)
    return Generators(tuple(cone.lines), tuple(sorted(ray for ray, _ in cone.rays)))


def _sparse_first(row: Vector) -> tuple[int, Vector]:
    """Bounds of one coordinate first, and then rows beside rows like them: fewer rays between."""
    return len(row) - row.count(0), row


class _Cone:
    """A cone that is restricted row by row.

    A ray comes with the set of the rows that vanish on it, a bit for each row that counted so far.
    """

    def __init__(self, lines: list[Vector], allowance: Allowance) -> None:
        self.dimension = len(lines)
        self.lines = lines
        self.rays: list[tuple[Vector, int]] = []
        self.bit = 1
        self.allowance = allowance

    def restrict(self, row: Vector) -> None:
        """Keep the part on which a row is not negative."""
        self.allowance.spend()
        for line in self.lines:
            value = dot(row, line)
            if value:
                self._halve(row, line if value > 0 else negated(line), abs(value), line)
                return
        self._cut(row)

    def _halve(self, row: Vector, inward: Vector, value: int, line: Vector) -> None:
        """Only one side of a line remains; along it, all else is moved to where the row is zero."""
        self.lines = [_moved(each, row, inward, value) for each in self.lines if each is not line]
        self.rays = [
            (_moved(ray, row, inward, value), zeros | self.bit) for ray, zeros in self.rays
        ]
        self.rays.append((inward, self.bit - 1))
        self.bit *= 2

    def _cut(self, row: Vector) -> None:
        """Replace the rays on the wrong side by those between them and their neighbours."""
        values = [dot(row, ray) for ray, _ in self.rays]
        if all(value >= 0 for value in values):
            return
        sides = list(zip(values, self.rays, strict=True))
        kept = [
            (ray, zeros if value else zeros | self.bit)
            for value, (ray, zeros) in sides
            if value >= 0
        ]
        wrong = [each for each in sides if each[0] < 0]
        for value, (ray, zeros) in sides:
            if value > 0:
                self.allowance.spend()
                for negative, other, common in self._neighbours(zeros, wrong):
                    pairs = zip(ray, other, strict=True)
                    between = primitive([value * b - negative * a for a, b in pairs])
                    kept.append((between, common | self.bit))
        self.rays = kept
        self.bit *= 2

    def _neighbours(
        self, zeros: int, others: Sequence[tuple[int, tuple[Vector, int]]]
    ) -> Iterator[tuple[int, Vector, int]]:
        """Those that share a face of two dimensions with a ray, and the rows that vanish on it."""
        least = self.dimension - len(self.lines) - 2
        for value, (ray, also) in others:
            common = zeros & also
            if common.bit_count() >= least and self._are_two(common):
                yield value, ray, common

    def _are_two(self, common: int) -> bool:
        """Do the rows that vanish on two rays vanish on no third one?"""
        count = 0
        for _, zeros in self.rays:
            if zeros & common == common:
                count += 1
                if count > 2:
                    return False
        return True


def _moved(vector: Vector, row: Vector, inward: Vector, value: int) -> Vector:
    """The vector, or a multiple of it, moved along a line to where the row vanishes."""
    here = dot(row, vector)
    if not here:
        return vector
    return primitive([value * a - here * b for a, b in zip(vector, inward, strict=True)])
