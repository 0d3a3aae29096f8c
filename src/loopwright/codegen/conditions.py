"""Conditions: sets as boolean expressions, in the context where they stand (§5.10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from loopwright.codegen.affine_terms import Linear, isl_aff, read_constraint
from loopwright.codegen.build import Build
from loopwright.codegen.options import AstOptions
from loopwright.codegen.remainders import Place, linear_expression, settled
from loopwright.codegen.sums import FALSE, TRUE, at_least_zero, equals_zero
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator


@dataclass(frozen=True, slots=True)
class Row:
    """``linear == 0`` or ``linear >= 0``."""

    linear: Linear
    is_equality: bool


def place_of(build: Build) -> Place:
    """The place, as the parts of an expression see it."""
    return Place(build.known, build.iterators, build.options.prefer_remainder)


def condition(holds: isl.Set, build: Build) -> Expr:
    """A boolean expression that is true, within what is known, exactly where the set holds.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : i <= n }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> holds = isl.Set("[n] -> { [i] : 2 <= n < 1000 and n mod 4 >= 2 and i <= n }")
    >>> print(expression_text(condition(holds, build)))
    n >= 2 && n <= 999 && n % 4 >= 2
    """
    return condition_at(holds, place_of(build), build.options)


def condition_at(holds: isl.Set, place: Place, options: AstOptions) -> Expr:
    """The condition at a place."""
    if not place.known.plain_is_universe():
        holds = holds.gist(place.known)
    if holds.plain_is_universe():
        return TRUE
    if holds.n_basic_set() > 1:
        holds = holds.coalesce()
    holds = holds.compute_divs()
    parts = holds.get_basic_sets()
    if len(parts) <= 1:
        return _conjunction(_rows(parts[0], place), place, options) if parts else FALSE
    return _disjunction([_rows(part, place) for part in parts], place, options)


def _rows(part: isl.BasicSet, place: Place) -> list[Row]:
    """The constraints, without those that only say what an integer part is."""
    return [
        Row(read_constraint(constraint, place.iterators), constraint.is_equality())
        for constraint in part.remove_redundancies().get_constraints()
        if not constraint.is_div_constraint()
    ]


def _disjunction(parts: Sequence[list[Row]], place: Place, options: AstOptions) -> Expr:
    """What all parts share, and then any of them."""
    first, *others = parts
    shared = [row for row in first if all(row in other for other in others)]
    common = _comparisons(shared, place)
    place = _assuming(shared, place)
    own = [[row for row in part if row not in shared] for part in parts]
    choices = [_conjunction(rows, place, options) for rows in own]
    either = Operator.LAZY_OR if options.lazy else Operator.EAGER_OR
    return joined(_and(options), [*common, joined(either, choices)])


def _conjunction(rows: Sequence[Row], place: Place, options: AstOptions) -> Expr:
    return joined(_and(options), _comparisons(rows, place))


def _comparisons(rows: Sequence[Row], place: Place) -> list[Expr]:
    """Constraints without integer parts first; then the others, which may rely on them."""
    simple = [row for row in rows if not row.linear.has_floors()]
    comparisons = [comparison(row, place) for row in simple]
    if len(simple) < len(rows):
        inner = _assuming(simple, place)
        comparisons += [comparison(row, inner) for row in rows if row.linear.has_floors()]
    return comparisons


def _assuming(rows: Sequence[Row], place: Place) -> Place:
    if not rows:
        return place
    space = place.known.get_space()
    part = isl.BasicSet.universe(space)
    for row in rows:
        aff = isl_aff(row.linear, space, place.iterators)
        part = part.add_constraint(
            isl.Constraint.equality_from_aff(aff)
            if row.is_equality
            else isl.Constraint.inequality_from_aff(aff)
        )
    return place.assuming(part.to_set())


def _and(options: AstOptions) -> Operator:
    return Operator.LAZY_AND if options.lazy else Operator.EAGER_AND


def joined(operator: Operator, operands: Sequence[Expr]) -> Expr:
    """Several conditions as one: all of them, or any of them."""
    neutral, absorbing = TRUE, FALSE
    if operator in {Operator.LAZY_OR, Operator.EAGER_OR}:
        neutral, absorbing = FALSE, TRUE
    if absorbing in operands:
        return absorbing
    distinct = tuple(dict.fromkeys(each for each in operands if each != neutral))
    if len(distinct) <= 1:
        return distinct[0] if distinct else neutral
    return Operation(operator, distinct)


def comparison(row: Row, place: Place) -> Expr:
    """One constraint as a comparison; a stride as a remainder that is zero."""
    if not row.is_equality:
        return at_least_zero(settled(row.linear, place))
    stride = _stride(row.linear)
    if stride is not None:
        dividend, divisor = stride
        operands = (linear_expression(dividend, place), Constant(divisor))
        remainder = Operation(Operator.ZERO_REMAINDER, operands)
        return Operation(Operator.EQUAL, (remainder, Constant(0)))
    innermost = next(
        (name for name in reversed(place.iterators) if name in dict(row.linear.terms)), None
    )
    leading = None if innermost is None else Identifier(innermost)
    return equals_zero(settled(row.linear, place), leading)


def _stride(linear: Linear) -> tuple[Linear, int] | None:
    """The f and c for which the equality says that c divides f.

    f = c·⌊a/m⌋ says so if c·a = m·(f + d) for a constant d with 0 ≤ d < c: then f = c·k gives
    ⌊a/m⌋ = ⌊k + d/c⌋ = k.
    """
    floors = linear.floors()
    if not floors:
        return None
    floor, coefficient = max(floors, key=lambda each: abs(each[1]))
    if coefficient > 0:
        linear, coefficient = linear.times(-1), -coefficient
    divisor = -coefficient
    multiple = linear.without(floor)
    difference = floor.dividend.times(divisor).plus(multiple, -floor.divisor)
    if difference.terms or not 0 <= difference.constant < divisor * floor.divisor:
        return None
    return _least_residues(multiple, divisor), divisor


def _least_residues(linear: Linear, divisor: int) -> Linear:
    """The smallest numbers that are the same modulo the divisor, the first one positive."""
    terms = tuple(
        (atom, residue) for atom, each in linear.terms if (residue := _centred(each, divisor))
    )
    if terms and terms[0][1] < 0:
        terms = tuple((atom, -each) for atom, each in terms)
        return Linear(terms, _centred(-linear.constant, divisor))
    return Linear(terms, _centred(linear.constant, divisor))


def _centred(value: int, divisor: int) -> int:
    """The number nearest to zero that is the same modulo the divisor, positive in doubt."""
    residue = value % divisor
    return residue - divisor if 2 * residue > divisor else residue
