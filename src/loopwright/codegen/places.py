"""Where an expression stands, and what can be proved there about signs and multiples."""

from __future__ import annotations

from functools import cached_property

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.affine_terms import (
    Atom,
    Linear,
    integer_of,
    isl_aff,
    read_constraint,
)
from loopwright.codegen.build import Build
from loopwright.polyhedra.extremes import least_of
from loopwright.polyhedra.values import isl_value

_DIV = isl.dim_type.div


@record(eq=False, slots=False)
class Place:
    """What is known where an expression stands, and the names of the dimensions there.

    Not slotted: what isl answers about the place is kept with it.
    """

    known: isl.Set
    iterators: tuple[str, ...]
    prefer_remainder: bool = True

    @cached_property
    def bounds(self) -> tuple[Linear, ...]:
        """Sums h without integer parts, h ≥ 0: the shifted constraints that all parts share."""
        rows: list[Linear] = []
        for constraint in self._hull:
            if constraint.involves_dims(_DIV, 0, constraint.dim(_DIV)):
                continue
            row = read_constraint(constraint, self.iterators)
            rows.append(row)
            if constraint.is_equality():
                rows.append(row.times(-1))
        return tuple(rows)

    @cached_property
    def _hull(self) -> list[isl.Constraint]:
        return self.known.simple_hull().get_constraints()

    @cached_property
    def _minima(self) -> dict[tuple[tuple[Atom, int], ...], int | None]:
        """Least values that were asked for before."""
        return {}

    def assuming(self, condition: isl.Set) -> Place:
        """The same place, where the condition holds as well."""
        return Place(self.known.intersect(condition), self.iterators, self.prefer_remainder)

    def least(self, linear: Linear) -> int | None:
        """The least value of the sum in the context, if there is one: an ILP."""
        if linear.terms not in self._minima:
            value = least_of(self.known, self._aff(Linear(linear.terms, 0)))
            # In an empty context everything is true.
            other = 0 if value.is_nan() else None
            self._minima[linear.terms] = integer_of(value) if value.is_int() else other
        least = self._minima[linear.terms]
        return None if least is None else least + linear.constant

    def never_negative(self, linear: Linear) -> bool:
        """Is the sum at least zero everywhere in the context, by one constraint or by an ILP?"""
        if not linear.terms:
            return linear.constant >= 0
        if any(
            linear.constant >= bound.constant and bound.has_terms_of(linear)
            for bound in self.bounds
        ):
            return True
        least = self.least(linear)
        return least is not None and least >= 0

    def divides(self, divisor: int, linear: Linear) -> bool:
        """Is the sum a multiple of the divisor everywhere in the context?"""
        if not any(constraint.is_equality() for constraint in self._hull):
            return False
        remainder = self._aff(linear).mod_val(isl_value(divisor))
        positive = isl.Constraint.inequality_from_aff(remainder.add_constant_val(isl_value(-1)))
        return self.known.is_disjoint(isl.BasicSet.from_constraint(positive).to_set())

    def _aff(self, linear: Linear) -> isl.Aff:
        return isl_aff(linear, self.known.get_space(), self.iterators)


def place_of(build: Build) -> Place:
    """The place, as the parts of an expression see it."""
    return Place(build.known, build.iterators, build.options.prefer_remainder)
