"""Integer parts as the cheapest division or remainder that is right in its context (§5.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loopwright.codegen.affine_terms import Atom, Floor, Linear
from loopwright.codegen.places import Place
from loopwright.codegen.sums import Sum, sum_expression
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator

Rewriting = tuple[Linear, Expr, int]
"""A sum, an operand and its coefficient: sum + coefficient · operand."""


def settled(linear: Linear, place: Place) -> Sum:
    """The sum with each integer part written as a remainder or a division.

    f·m·⌊a/m⌋ becomes f·a - f·(a mod m) where a, or an a' ≡ a, cannot be negative; the opposite is
    tried with ⌊a/m⌋ = -⌊(m - 1 - a)/m⌋.  (The paper prints m + 1 for m - 1.)  Where that would
    only write a long dividend twice, m·⌊a/m⌋ stays as it is.
    """
    remainders: dict[Expr, int] = {}
    quotients: dict[Expr, int] = {}
    # Outer integer parts first: what comes out of them may cancel inner ones.
    while floors := linear.floors():
        floor, coefficient = max(floors, key=lambda each: _depth(each[0]))
        linear = linear.without(floor)
        written = remainders
        rewriting = _as_remainder(floor, coefficient, place)
        if rewriting is None or len(linear.plus(rewriting[0]).terms) > len(linear.terms):
            quotient = _as_quotient(floor, coefficient, place)
            if rewriting is None or _is_shorter(quotient, rewriting, linear):
                written, rewriting = quotients, quotient
        rest, operand, factor = rewriting
        linear = linear.plus(rest)
        written[operand] = written.get(operand, 0) + factor
    variables = [(Identifier(name), each) for name, each in _ordered(linear, place.iterators)]
    terms = (*remainders.items(), *variables, *quotients.items())
    return Sum(tuple(term for term in terms if term[1]), linear.constant)


def _is_shorter(quotient: Rewriting, remainder: Rewriting, linear: Linear) -> bool:
    """Does the sum with the quotient save more than one term?"""
    return len(linear.plus(quotient[0]).terms) + 1 < len(linear.plus(remainder[0]).terms)


def _ordered(linear: Linear, iterators: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Variables with coefficients: parameters as they come, then iterators from the outside in."""
    coefficients = {atom: each for atom, each in linear.terms if isinstance(atom, str)}
    yield from (term for term in coefficients.items() if term[0] not in iterators)
    yield from ((name, coefficients[name]) for name in iterators if name in coefficients)


def _depth(floor: Floor) -> int:
    return 1 + max((_depth(inner) for inner, _ in floor.dividend.floors()), default=0)


def linear_expression(linear: Linear, place: Place) -> Expr:
    """The sum as an expression."""
    return sum_expression(settled(linear, place))


def _divided(operator: Operator, dividend: Linear, divisor: int, place: Place) -> Expr:
    return Operation(operator, (linear_expression(dividend, place), Constant(divisor)))


# --- remainders ---------------------------------------------------------------------------------


def _as_remainder(floor: Floor, coefficient: int, place: Place) -> Rewriting | None:
    """coefficient · ⌊a/m⌋ as a sum and a remainder, if a sign is known."""
    dividend, divisor = floor.dividend, floor.divisor
    if not place.prefer_remainder or coefficient % divisor:
        return None
    factor = coefficient // divisor
    found = _congruent(dividend, divisor, place)
    if found is None:
        return None
    congruent, is_opposite = found
    remainder = _divided(Operator.NON_NEGATIVE_REMAINDER, congruent, divisor, place)
    if is_opposite:
        return dividend.shifted(1 - divisor).times(factor), remainder, factor
    return dividend.times(factor), remainder, -factor


def _congruent(dividend: Linear, divisor: int, place: Place) -> tuple[Linear, bool] | None:
    """Some a' ≡ a, or a' ≡ m - 1 - a, modulo m that cannot be negative, and which of the two.

    A constraint of the context may be one, except for its constant.  Otherwise, or if that says
    more than it need, the least value of a or of its opposite, found by an ILP, tells which
    multiple of m has to be added.
    """
    straight = _simplest_congruent(dividend, divisor, place)
    if straight is not None and _starts_positive(straight):
        return straight, False
    opposite = _simplest_congruent(_opposite(dividend, divisor), divisor, place)
    if opposite is not None and (straight is None or _starts_positive(opposite)):
        return opposite, True
    if straight is not None:
        return straight, False
    positive = _with_positive_terms(dividend, divisor)
    least = place.least(positive)
    return None if least is None else (_nearest_to_zero(positive, divisor, least), False)


def _simplest_congruent(dividend: Linear, divisor: int, place: Place) -> Linear | None:
    """The a' ≡ a in the fewest words out of those that a constraint or an ILP bounds from below."""
    bound = _congruent_bound(dividend, divisor, place)
    simplest = _nearest_coefficients(dividend, divisor)
    if bound is None or _complexity(simplest)[:2] < _complexity(bound)[:2]:
        least = place.least(simplest)
        return bound if least is None else _nearest_to_zero(simplest, divisor, least)
    return bound


def _starts_positive(linear: Linear) -> bool:
    return not linear.terms or any(each > 0 for _, each in linear.terms)


def _nearest_to_zero(dividend: Linear, divisor: int, least: int) -> Linear:
    """The dividend, of which the least value is given, with a constant that makes up for it."""
    constant = _nearest(dividend.constant, divisor, dividend.constant - least)
    return Linear(dividend.terms, constant)


def _nearest_coefficients(dividend: Linear, divisor: int) -> Linear:
    """The a' ≡ a in the fewest words: coefficients as near to zero as they can be."""
    terms = ((atom, _nearest(each, divisor, -divisor)) for atom, each in dividend.terms)
    return Linear(tuple(term for term in terms if term[1]), dividend.constant)


def _with_positive_terms(dividend: Linear, divisor: int) -> Linear:
    """An a' ≡ a with coefficients from 0 to m - 1: not negative where no variable is.

    isl prefers coefficients that are near zero.
    """
    terms = ((atom, each % divisor) for atom, each in dividend.terms)
    return Linear(tuple(term for term in terms if term[1]), dividend.constant)


def _congruent_bound(dividend: Linear, divisor: int, place: Place) -> Linear | None:
    """The simplest a' ≡ a that is a constraint of the context, except for its constant."""
    wanted = _residues(dividend, divisor)
    candidates = [
        Linear(bound.terms, _nearest(dividend.constant, divisor, bound.constant))
        for bound in place.bounds
        if _residues(bound, divisor) == wanted
    ]
    return min(candidates, key=_complexity, default=None)


def _residues(linear: Linear, divisor: int) -> dict[Atom, int]:
    return {atom: residue for atom, each in linear.terms if (residue := each % divisor)}


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


def _as_quotient(floor: Floor, coefficient: int, place: Place) -> Rewriting:
    """coefficient · ⌊a/m⌋ as a sum e and a division: ⌊a/m⌋ = ⌊(a + m·e)/m⌋ - e."""
    dividend, divisor = floor.dividend, floor.divisor
    operator, chosen, is_opposite = _best_division(dividend, divisor, place)
    if is_opposite:
        dividend, coefficient = _opposite(dividend, divisor), -coefficient
    quotient = _divided(operator, chosen, divisor, place)
    multiples = chosen.plus(dividend, -1)
    added = Linear(
        tuple((atom, each // divisor) for atom, each in multiples.terms),
        multiples.constant // divisor,
    )
    return added.times(-coefficient), quotient, coefficient


def _opposite(dividend: Linear, divisor: int) -> Linear:
    """The b = m - 1 - a with which ⌊a/m⌋ = -⌊b/m⌋."""
    return dividend.times(-1).shifted(divisor - 1)


def _best_division(dividend: Linear, divisor: int, place: Place) -> tuple[Operator, Linear, bool]:
    """The operator, what it divides, and whether that is for the opposite."""
    if not place.prefer_remainder:
        return Operator.FLOOR_DIVISION, dividend, False
    if place.never_negative(dividend):
        return Operator.NON_NEGATIVE_DIVISION, dividend, False
    if place.divides(divisor, dividend):
        return Operator.EXACT_DIVISION, dividend, False
    opposite = _opposite(dividend, divisor)
    if place.never_negative(opposite):
        return Operator.NON_NEGATIVE_DIVISION, opposite, True
    for candidate in (dividend, opposite, _with_positive_terms(dividend, divisor)):
        least = place.least(candidate)
        if least is not None:
            shifted = candidate.shifted(max(-(least // divisor), 0) * divisor)
            return Operator.NON_NEGATIVE_DIVISION, shifted, candidate is opposite
    return Operator.FLOOR_DIVISION, dividend, False


def exact_quotient(dividend: Linear, divisor: int, place: Place) -> Sum:
    """a/m where m divides a: whole multiples of m stand outside the division."""
    outside = tuple((atom, each // divisor) for atom, each in dividend.terms if each % divisor == 0)
    inside = tuple((atom, each) for atom, each in dividend.terms if each % divisor)
    constant = _nearest(dividend.constant, divisor, -divisor)
    rest = settled(Linear(outside, (dividend.constant - constant) // divisor), place)
    if not inside:
        return rest
    operator = Operator.EXACT_DIVISION if place.prefer_remainder else Operator.FLOOR_DIVISION
    quotient = _divided(operator, Linear(inside, constant), divisor, place)
    return Sum(((quotient, 1), *rest.terms), rest.constant)
