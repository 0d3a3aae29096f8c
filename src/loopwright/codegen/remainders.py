"""Integer parts as the cheapest division or remainder that is right in its context (§5.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import islpy as isl

from loopwright.codegen.affine_terms import (
    Floor,
    Linear,
    integer_of,
    isl_aff,
    isl_value,
    read_constraint,
)
from loopwright.codegen.sums import Sum, sum_expression
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator


@dataclass(frozen=True, eq=False)
class Place:
    """What is known where an expression stands, and the names of the dimensions there.

    Not slotted: what isl answers about the place is kept with it.
    """

    known: isl.Set
    iterators: tuple[str, ...]
    prefer_remainder: bool = True

    def assuming(self, condition: isl.Set) -> Place:
        """The same place, where the condition holds as well."""
        return Place(self.known.intersect(condition), self.iterators, self.prefer_remainder)

    @cached_property
    def bounds(self) -> tuple[Linear, ...]:
        """Sums h without integer parts, h ≥ 0: the shifted constraints that all parts share."""
        rows: list[Linear] = []
        for constraint in self.known.simple_hull().get_constraints():
            if constraint.dim(isl.dim_type.div) and _involves_divs(constraint):
                continue
            row = read_constraint(constraint, self.iterators)
            rows.append(row)
            if constraint.is_equality():
                rows.append(row.times(-1))
        return tuple(rows)

    @cached_property
    def _has_equalities(self) -> bool:
        """May some sum be a multiple of something everywhere?"""
        hull = self.known.affine_hull()
        return not hull.is_universe()

    def least(self, linear: Linear) -> int | None:
        """The least value of the sum in the context, if there is one."""
        value = self.known.min_val(self._aff(linear))
        if value.is_int():
            return integer_of(value)
        return 0 if value.is_nan() else None

    def greatest(self, linear: Linear) -> int | None:
        """The greatest value of the sum in the context, if there is one."""
        least = self.least(linear.times(-1))
        return None if least is None else -least

    def divides(self, divisor: int, linear: Linear) -> bool:
        """Is the sum a multiple of the divisor everywhere in the context?"""
        if not self._has_equalities:
            return False
        remainder = self._aff(linear).mod_val(isl_value(divisor))
        positive = isl.Constraint.inequality_from_aff(remainder.add_constant_val(isl_value(-1)))
        return self.known.add_constraint(positive).is_empty()

    def _aff(self, linear: Linear) -> isl.Aff:
        return isl_aff(linear, self.known.get_space(), self.iterators)


def _involves_divs(constraint: isl.Constraint) -> bool:
    return constraint.involves_dims(isl.dim_type.div, 0, constraint.dim(isl.dim_type.div))


def settled(linear: Linear, place: Place) -> Sum:
    """The sum with each integer part written as a remainder or a division.

    f·m·⌊a/m⌋ becomes f·a - f·(a mod m) where a, or an a' ≡ a, cannot be negative; the opposite is
    tried with ⌊a/m⌋ = -⌊(m - 1 - a)/m⌋.  (The paper prints m + 1 for m - 1.)
    """
    remainders: list[tuple[Expr, int]] = []
    quotients: list[tuple[Expr, int]] = []
    # Outer integer parts first: what comes out of them may cancel inner ones.
    while floors := linear.floors():
        floor, coefficient = max(floors, key=lambda each: _depth(each[0]))
        linear = linear.without(floor)
        rewritten = _as_remainder(floor, coefficient, place)
        if rewritten is not None:
            rest, remainder, sign = rewritten
            linear = linear.plus(rest)
            _add_term(remainders, remainder, sign)
        else:
            rest, quotient, sign = _as_quotient(floor, coefficient, place)
            linear = linear.plus(rest)
            _add_term(quotients, quotient, sign)
    variables = [(Identifier(name), each) for name, each in _ordered(linear, place.iterators)]
    terms = [*remainders, *variables, *quotients]
    return Sum(tuple(term for term in terms if term[1]), linear.constant)


def _add_term(terms: list[tuple[Expr, int]], operand: Expr, coefficient: int) -> None:
    """Add to the coefficient of an operand that is there already."""
    for at, (other, before) in enumerate(terms):
        if other == operand:
            terms[at] = (operand, before + coefficient)
            return
    terms.append((operand, coefficient))


def _ordered(linear: Linear, iterators: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Variables with coefficients: parameters as they come, then iterators from the outside in."""
    named = [(atom, each) for atom, each in linear.terms if isinstance(atom, str)]
    yield from (term for term in named if term[0] not in iterators)
    coefficients = dict(named)
    yield from ((name, coefficients[name]) for name in iterators if name in coefficients)


def _depth(floor: Floor) -> int:
    return 1 + max((_depth(inner) for inner, _ in floor.dividend.floors()), default=0)


def linear_expression(linear: Linear, place: Place) -> Expr:
    """The sum as an expression."""
    return sum_expression(settled(linear, place))


# --- remainders ---------------------------------------------------------------------------------


def _as_remainder(floor: Floor, coefficient: int, place: Place) -> tuple[Linear, Expr, int] | None:
    """coefficient · ⌊a/m⌋ as a sum, and a remainder with its own coefficient."""
    divisor = floor.divisor
    if not place.prefer_remainder or coefficient % divisor:
        return None
    factor = coefficient // divisor
    dividend = floor.dividend
    found = _non_negative(dividend, divisor, place)
    if found is not None:
        rest = dividend.times(factor)
        return rest, _remainder(found, divisor, place), -factor
    found = _non_negative(dividend.times(-1).shifted(divisor - 1), divisor, place)
    if found is not None:
        rest = dividend.shifted(1 - divisor).times(factor)
        return rest, _remainder(found, divisor, place), factor
    return None


def _remainder(dividend: Linear, divisor: int, place: Place) -> Expr:
    operands = (linear_expression(dividend, place), Constant(divisor))
    return Operation(Operator.NON_NEGATIVE_REMAINDER, operands)


def _non_negative(dividend: Linear, divisor: int, place: Place) -> Linear | None:
    """Some a' ≡ a modulo m that cannot be negative: from one constraint, else by an ILP."""
    wanted = _residues(dividend, divisor)
    candidates = [
        Linear(bound.terms, _nearest(dividend.constant, divisor, bound.constant))
        for bound in place.bounds
        if _residues(bound, divisor) == wanted
    ]
    if candidates:
        return min(candidates, key=_complexity)
    least = place.least(dividend.shifted(-dividend.constant))
    if least is None:
        return None
    return Linear(dividend.terms, _nearest(dividend.constant, divisor, -least))


def _residues(linear: Linear, divisor: int) -> dict[object, int]:
    return {atom: each % divisor for atom, each in linear.terms if each % divisor}


def _nearest(constant: int, divisor: int, least: int) -> int:
    """The number c ≡ constant modulo the divisor, c ≥ least, that is nearest to zero."""
    residue = constant % divisor
    if residue - divisor >= least and divisor - residue < residue:
        return residue - divisor
    return residue if residue >= least else least + (residue - least) % divisor


def _complexity(linear: Linear) -> tuple[int, int, int]:
    weight = sum(abs(each) for _, each in linear.terms)
    return len(linear.terms), weight, abs(linear.constant)


# --- divisions ----------------------------------------------------------------------------------


def _as_quotient(floor: Floor, coefficient: int, place: Place) -> tuple[Linear, Expr, int]:
    """coefficient · ⌊a/m⌋ as a sum, and a division with its own coefficient."""
    dividend, divisor = floor.dividend, floor.divisor
    if not place.prefer_remainder:
        return _division(Operator.FLOOR_DIVISION, dividend, divisor, coefficient, place)
    least = _least_constant(dividend, place)
    if least is None and place.divides(divisor, dividend):
        return _division(Operator.EXACT_DIVISION, dividend, divisor, coefficient, place)
    opposite = dividend.times(-1).shifted(divisor - 1)
    if least is None or dividend.constant < least:
        least_opposite = _least_constant(opposite, place)
        if least_opposite is not None and (least is None or opposite.constant >= least_opposite):
            dividend, least, coefficient = opposite, least_opposite, -coefficient
    if least is None:
        return _division(Operator.FLOOR_DIVISION, dividend, divisor, coefficient, place)
    constant = _nearest(dividend.constant, divisor, least)
    rest = Linear((), coefficient * ((dividend.constant - constant) // divisor))
    dividend = Linear(dividend.terms, constant)
    _, quotient, _ = _division(
        Operator.NON_NEGATIVE_DIVISION, dividend, divisor, coefficient, place
    )
    return rest, quotient, coefficient


def _least_constant(dividend: Linear, place: Place) -> int | None:
    """The least constant with which the sum cannot be negative, if there is one."""
    terms = dict(dividend.terms)
    constants = [bound.constant for bound in place.bounds if dict(bound.terms) == terms]
    if constants:
        return min(constants)
    least = place.least(dividend.shifted(-dividend.constant))
    return None if least is None else -least


def _division(
    operator: Operator, dividend: Linear, divisor: int, coefficient: int, place: Place
) -> tuple[Linear, Expr, int]:
    operands = (linear_expression(dividend, place), Constant(divisor))
    return Linear((), 0), Operation(operator, operands), coefficient


def exact_quotient(dividend: Linear, divisor: int, place: Place) -> Sum:
    """a/m where m divides a: whole multiples of m stand outside the division."""
    inside = tuple((atom, each) for atom, each in dividend.terms if each % divisor)
    if not inside:
        terms = tuple((atom, each // divisor) for atom, each in dividend.terms)
        return settled(Linear(terms, dividend.constant // divisor), place)
    outside = tuple((atom, each // divisor) for atom, each in dividend.terms if each % divisor == 0)
    constant = _nearest(dividend.constant, divisor, -divisor)
    whole = (dividend.constant - constant) // divisor
    rest = settled(Linear(outside, whole), place)
    operator = Operator.EXACT_DIVISION if place.prefer_remainder else Operator.FLOOR_DIVISION
    operands = (linear_expression(Linear(inside, constant), place), Constant(divisor))
    return Sum(((Operation(operator, operands), 1), *rest.terms), rest.constant)
