"""Piecewise functions: one sum, a minimum or maximum of sums, or a choice by conditions."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.affine_terms import read_aff
from loopwright.codegen.conditions import condition_at
from loopwright.codegen.options import AstOptions
from loopwright.codegen.places import Place
from loopwright.codegen.remainders import exact_quotient, settled
from loopwright.codegen.sums import Sum, sum_expression
from loopwright.model.expressions import Expr, Identifier, Operation, Operator

Piece = tuple[isl.Set, isl.Aff]


@record(eq=False)
class Value:
    """Sums, and how one of them is chosen.

    ``operator`` is minimum or maximum; without one, a single sum is the value, and several are
    chosen from by their ``domains``.
    """

    sums: tuple[Sum, ...]
    operator: Operator | None = None
    domains: tuple[isl.Set, ...] = ()

    def plus(self, amount: int) -> Value:
        """The value, so much higher."""
        sums = tuple(Sum(each.terms, each.constant + amount) for each in self.sums)
        return Value(sums, self.operator, self.domains)


def pieces_within(pw: isl.PwAff, known: isl.Set) -> list[Piece]:
    """The pieces that matter within what is known."""
    if not known.plain_is_universe():
        # As with conditions, isl is only safe if the domain is inside what is known.
        pw = pw.intersect_domain(known).gist(known)
    if pw.n_piece() > 1:
        pw = pw.intersect_domain(known).coalesce().gist(known)
    return pw.get_pieces()


def sum_of(aff: isl.Aff, place: Place) -> Sum:
    """The function as a sum; a denominator means an exact division.

    Rational functions have integer values where they are used.
    """
    linear, denominator = read_aff(aff, place.iterators)
    if denominator == 1:
        return settled(linear, place)
    return exact_quotient(linear, denominator, place)


def value_of(pieces: Sequence[Piece], place: Place, options: AstOptions) -> Value:
    """The value of the pieces, as it is going to be written; 0 where there is none."""
    if not pieces:
        return Value((Sum((), 0),))
    if len(pieces) == 1:
        return Value((sum_of(pieces[0][1], place),))
    if options.detect_min_max:
        for operator in (Operator.MAXIMUM, Operator.MINIMUM):
            if _is_extreme(pieces, operator, place):
                return Value(tuple(sum_of(aff, place) for _, aff in pieces), operator)
    simplest_first = sorted(pieces, key=lambda piece: _weight(piece[0]))
    sums = tuple(sum_of(aff, place.assuming(domain)) for domain, aff in simplest_first)
    return Value(sums, None, tuple(domain for domain, _ in simplest_first))


def _is_extreme(pieces: Sequence[Piece], operator: Operator, place: Place) -> bool:
    """Is each piece the greatest, or the least, of all where it is the value?

    A rational function is an integer on its own piece only and cannot be compared elsewhere.
    """
    if any(not aff.get_denominator_val().is_one() for _, aff in pieces):
        return False
    for domain, aff in pieces:
        here = domain.intersect(place.known)
        for _, other in pieces:
            if other is aff:
                continue
            worse = aff.lt_set(other) if operator is Operator.MAXIMUM else aff.gt_set(other)
            if not here.is_disjoint(worse):
                return False
    return True


def _weight(domain: isl.Set) -> tuple[int, int]:
    parts = domain.get_basic_sets()
    return len(parts), sum(part.n_constraint() for part in parts)


def written(value: Value, place: Place, options: AstOptions) -> Expr:
    """The value as an expression."""
    if value.operator is not None:
        return _extreme(value.operator, [value], place, options)
    if len(value.sums) == 1:
        return sum_expression(value.sums[0])
    return _conditional(value, place, options)


def _conditional(value: Value, place: Place, options: AstOptions) -> Expr:
    """Test for one piece after the other; the last needs no test."""
    operator = Operator.LAZY_CONDITIONAL if options.lazy else Operator.EAGER_CONDITIONAL
    *firsts, last = zip(value.domains, value.sums, strict=True)
    remaining, result = last[0], sum_expression(last[1])
    for domain, total in reversed(firsts):
        remaining = remaining.union(domain)
        chosen = sum_expression(total)
        if chosen != result:
            test = condition_at(domain, place.assuming(remaining), options)
            result = Operation(operator, (test, chosen, result))
    return result


def extreme(operator: Operator, values: Sequence[Value], place: Place, options: AstOptions) -> Expr:
    """The minimum or maximum of all values: constants first, choices last."""
    if len(values) == 1:
        return written(values[0], place, options)
    return _extreme(operator, values, place, options)


def _extreme(
    operator: Operator, values: Sequence[Value], place: Place, options: AstOptions
) -> Expr:
    sums: list[Sum] = []
    choices: list[Expr] = []
    for value in values:
        if value.operator is operator or len(value.sums) == 1:
            sums += value.sums
        else:
            choices.append(written(value, place, options))
    sums.sort(key=lambda total: _rank(total, place.iterators))
    operands = dict.fromkeys([*(sum_expression(total) for total in sums), *choices])
    return next(iter(operands)) if len(operands) == 1 else Operation(operator, tuple(operands))


def _rank(total: Sum, iterators: Sequence[str]) -> int:
    """Constants, then what has to be divided, then variables from the outside in."""
    if not total.terms:
        return 0
    names = {operand.name for operand, _ in total.terms if isinstance(operand, Identifier)}
    if len(names) < len(total.terms):
        return 1
    return 2 + max((at + 1 for at, name in enumerate(iterators) if name in names), default=0)


def undominated(
    operator: Operator, bounds: Sequence[list[Piece]], place: Place
) -> list[list[Piece]]:
    """Those of which none is always at most (for a maximum; at least) another one that stays."""
    kept = list(bounds)
    for bound in bounds:
        others = [other for other in kept if other is not bound]
        if any(_reaches(operator, other, bound, place) for other in others):
            kept = others
    return kept


def _reaches(operator: Operator, pieces: list[Piece], others: list[Piece], place: Place) -> bool:
    """Is the first never less (for a maximum; never more) than the second, as far as we see?"""
    if len(pieces) != 1 or len(others) != 1:
        return False
    one, denominator = read_aff(pieces[0][1], place.iterators)
    other, other_denominator = read_aff(others[0][1], place.iterators)
    difference = one.times(other_denominator).plus(other, -denominator)
    return place.never_negative(
        difference if operator is Operator.MAXIMUM else difference.times(-1)
    )
