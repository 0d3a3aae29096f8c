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
from loopwright.polyhedra.values import constant, never, unknown, without


@record(eq=False)
class Risk:
    """An expression that may leave its type: its value, the type, and where it is computed."""

    value: Polynomial
    type: IntType
    scope: Scope
    span: Span

    def is_taken_by(self, others: Iterable[Risk], possible: isl.Set) -> bool:
        """Do these compute, in types that hold no more, all values that this may be?

        Then it fits its type if they fit theirs.  For these ``possible`` values of the parameters.
        What stands in a branch that data choose is computed only if they choose it.
        """
        monomials = sorted(_coefficients(self.value))
        same = [
            each
            for each in others
            if self.type.least <= each.type.least
            and each.type.greatest <= self.type.greatest
            and (self.scope.is_one_branch or not each.scope.is_one_branch)
            and sorted(_coefficients(each.value)) == monomials
        ]
        computed = [each._values(each.scope.certain, monomials) for each in same]
        wanted = self._values(self.scope.possible & possible, monomials)
        return wanted.is_subset(reduce(isl.Set.union, computed, never()))

    def _values(self, reached: isl.Set, monomials: Sequence[Monomial]) -> isl.Set:
        """What the coefficients of the monomials may be, where control gets here."""
        found, coefficients = reached, _coefficients(self.value)
        for at, monomial in enumerate(monomials):
            found = found & unknown(f"the coefficient {at}").eq_set(coefficients[monomial])
        return without(found, (*self.scope.iterators, *self.scope.hidden))


def _coefficients(value: Polynomial) -> dict[Monomial, isl.PwAff]:
    """The coefficients by monomials that mean the same wherever they come from."""
    found: dict[Monomial, isl.PwAff] = {(): constant(0)}
    for monomial, coefficient in value.terms.items():
        # A size is written with the names of all unknowns around it in front.
        found[tuple(each.rpartition("->")[2] for each in monomial)] = coefficient
    return found
