"""Expressions that may leave their types where no condition on the parameters can say so.

Nothing that is affine tells whether a product of unknowns fits its type, nor whether data lead to
the branch that an expression stands in.  But whether one program computes only such values as
another one does can be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

import islpy as isl

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.c_types import IntType
from loopwright.frontend.polynomials import Monomial, Polynomial
from loopwright.frontend.scope import Scope
from loopwright.polyhedra.values import constant, unknown, without

IN, OUT = isl.dim_type.in_, isl.dim_type.out
PARAM, SET = isl.dim_type.param, isl.dim_type.set


@record(eq=False)
class Risk:
    """An expression that may leave its type: its value, the type, and where it is computed.

    Or one that cannot always be evaluated; what computes it is nothing else then.
    """

    value: Polynomial
    type: IntType
    scope: Scope
    span: Span
    statement: Span | None = None
    is_evaluation: bool = False

    def is_taken_by(self, others: Iterable[Risk], possible: isl.Set) -> bool:
        """Do these compute, in types that hold no more, all values that this may be?

        Then it fits its type if they fit theirs.  For these ``possible`` values of the parameters;
        what stands in a branch that data choose may never be computed.
        """
        same = [each for each in others if self._is_like(each) and not each.scope.branch]
        names = self._coefficient_names()
        wanted = self._points(self.scope.possible & possible, names)
        computed = [each._points(each.scope.certain, names) for each in same]
        return wanted.is_subset(reduce(isl.Set.union, computed, wanted.empty(wanted.get_space())))

    def is_taken_at(self, others: Iterable[Risk], instances: isl.Map) -> bool:
        """The same, where these are of a statement that looks the same, at its ``instances``.

        Both get to their branches together.
        """
        same = [
            each
            for each in others
            if self._is_like(each)
            and self._is_deeper_than(each)
            and len(each.scope.iterators) == instances.dim(OUT)
        ]
        if not same:
            return False
        computed = reduce(isl.Set.union, (each._own_points(each.scope.certain) for each in same))
        count = len(self.scope.hidden) + len(_coefficients(self.value))
        inside = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, count).map_from_set()
        bare = instances.reset_tuple_id(IN).reset_tuple_id(OUT)
        step = bare.flat_product(isl.Map.identity(inside))
        return self._own_points(self.scope.possible).apply(step).is_subset(computed)

    def _is_like(self, other: Risk) -> bool:
        """Is it the same kind of value, in a type that holds no more?"""
        is_within = (
            self.type.least <= other.type.least and other.type.greatest <= self.type.greatest
        )
        if self.is_evaluation is not other.is_evaluation:
            return False
        return is_within and sorted(_coefficients(self.value)) == sorted(_coefficients(other.value))

    def _is_deeper_than(self, other: Risk) -> bool:
        """Is the other one computed whenever this one is, in statements that look the same?"""
        depth = len(other.scope.branch)
        is_inside = self.scope.branch[:depth] == other.scope.branch
        return is_inside and len(self.scope.hidden) == len(other.scope.hidden)

    def _coefficient_names(self) -> list[str]:
        return [f"the coefficient {at}" for at in range(len(_coefficients(self.value)))]

    def _own_points(self, reached: isl.Set) -> isl.Set:
        """The values at each instance, and in each iteration of the loops inside of it."""
        kept = [*self.scope.iterators, *self.scope.hidden, *self._coefficient_names()]
        return self._points(reached, kept)

    def _points(self, reached: isl.Set, kept: Sequence[str]) -> isl.Set:
        """Where control gets here: the values of these unknowns, coefficients among them."""
        found, coefficients = reached, _coefficients(self.value)
        for name, monomial in zip(self._coefficient_names(), sorted(coefficients), strict=True):
            found = found & unknown(name).eq_set(coefficients[monomial])
        given_up = {*self.scope.iterators, *self.scope.hidden} - {*kept}
        points = isl.Set.from_params(without(found, given_up))
        for at, name in enumerate(kept):
            place = points.find_dim_by_name(PARAM, name)
            points = (
                points.move_dims(SET, at, PARAM, place, 1)
                if place >= 0
                else points.insert_dims(SET, at, 1)
            )
        return points


def _coefficients(value: Polynomial) -> dict[Monomial, isl.PwAff]:
    """The coefficients by monomials that mean the same wherever they come from."""
    found: dict[Monomial, isl.PwAff] = {(): constant(0)}
    for monomial, coefficient in value.terms.items():
        # A size is written with the names of all unknowns around it in front.
        found[tuple(each.rpartition("->")[2] for each in monomial)] = coefficient
    return found
