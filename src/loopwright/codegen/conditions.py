"""Conditions: sets as boolean expressions, in the context where they stand (§5.10)."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.affine_terms import Linear, isl_aff, read_constraint
from loopwright.codegen.build import Build
from loopwright.codegen.options import AstOptions
from loopwright.codegen.places import Place, place_of
from loopwright.codegen.remainders import linear_expression, settled
from loopwright.codegen.sums import FALSE, TRUE, at_least_zero, equals_zero
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator
from loopwright.polyhedra.simplification import simplified_in

_MOST_ROWS = 16
"""A shorter form for more constraints is not looked for: it would take too long."""


@record
class Row:
    """``linear == 0`` or ``linear >= 0``."""

    linear: Linear
    is_equality: bool


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
        holds = simplified_in(holds, place.known)
    if holds.plain_is_universe():
        return TRUE
    if holds.n_basic_set() > 1:
        holds = holds.coalesce()
    parts = _parts(holds, place)
    if len(parts) == 1:
        return conjunction(_comparisons(parts[0], place), options)
    return _disjunction(holds, parts, place, options) if parts else FALSE


def _parts(holds: isl.Set, place: Place) -> list[list[Row]]:
    """The constraints of each disjunct, existentials as integer parts."""
    return [_rows(part, place) for part in holds.compute_divs().get_basic_sets()]


def _rows(part: isl.BasicSet, place: Place) -> list[Row]:
    """The constraints, without those that only say what an integer part is."""
    rows = [
        Row(read_constraint(constraint, place.iterators), constraint.is_equality())
        for constraint in part.remove_redundancies().get_constraints()
        if not constraint.is_div_constraint()
    ]
    return sorted(rows, key=lambda row: _rank(row, place.iterators)) if len(rows) > 1 else rows


def _rank(row: Row, iterators: Sequence[str]) -> tuple[bool, int, bool]:
    """Equalities first, then what stands further out.

    Lower bounds come before upper bounds, as they are read; but what bounds an iterator from above
    fails more often than what bounds it from below, so there it is the other way round.
    """
    terms = dict(row.linear.terms)
    innermost = next((at for at in reversed(range(len(iterators))) if iterators[at] in terms), -1)
    last = next((each for atom, each in reversed(row.linear.terms) if isinstance(atom, str)), 0)
    if innermost >= 0:
        return not row.is_equality, innermost, terms[iterators[innermost]] > 0
    return not row.is_equality, innermost, last < 0


# --- several disjuncts --------------------------------------------------------------------------


def _disjunction(
    holds: isl.Set, parts: Sequence[list[Row]], place: Place, options: AstOptions
) -> Expr:
    """What all disjuncts share, and then any of them; or none of the complement's."""
    first, *others = parts
    shared = [row for row in first if all(row in other for other in others)]
    common = _comparisons(shared, place)
    inner = _assuming(shared, place)
    chosen = [[row for row in part if row not in shared] for part in parts]
    excluded: list[list[Row]] | None = None
    if sum(len(rows) for rows in chosen) <= _MOST_ROWS:
        chosen, excluded = _shortest(holds, chosen, inner)
    if excluded is not None:
        clauses = [
            disjunction([comparison(row, inner) for row in _negated(rows)], options)
            for rows in excluded
        ]
        return conjunction([*common, *clauses], options)
    chosen.sort(key=lambda rows: (len(rows), max((_depth(row, inner) for row in rows), default=0)))
    choices = [conjunction(_comparisons(rows, inner), options) for rows in chosen]
    return conjunction([*common, disjunction(choices, options)], options)


def _depth(row: Row, place: Place) -> int:
    return _rank(row, place.iterators)[1]


def _shortest(
    holds: isl.Set, parts: list[list[Row]], place: Place
) -> tuple[list[list[Row]], list[list[Row]] | None]:
    """Disjuncts as few and as large as we find, or such parts of the complement, if shorter."""
    outside = place.known.subtract(holds).coalesce()
    parts = _enlarged(parts, outside, place)
    if outside.n_basic_set() > _MOST_ROWS:
        return parts, None
    excluded = _enlarged(_parts(simplified_in(outside, place.known), place), holds, place)
    if any(row.is_equality and row.linear.has_floors() for rows in excluded for row in rows):
        return parts, None  # There is no way to say that a remainder is not zero.
    needed = sum(2 if row.is_equality else 1 for rows in excluded for row in rows)
    return parts, excluded if needed < sum(len(rows) for rows in parts) else None


def _enlarged(parts: Sequence[list[Row]], forbidden: isl.Set, place: Place) -> list[list[Row]]:
    """The parts without constraints that do not keep them off what is forbidden."""
    forbidden = forbidden.intersect(place.known)
    enlarged: list[list[Row]] = []
    for rows in parts:
        kept = list(rows)
        for row in rows if len(rows) > 1 else ():
            others = [each for each in kept if each is not row]
            if others and forbidden.is_disjoint(_set_of(others, place)):
                kept = others
        if kept not in enlarged:
            enlarged.append(kept)
    return enlarged


def _negated(rows: Sequence[Row]) -> list[Row]:
    """Constraints of which one holds where not all of the given ones do."""
    negated: list[Row] = []
    for row in rows:
        negated.append(Row(row.linear.times(-1).shifted(-1), is_equality=False))
        if row.is_equality:
            negated.append(Row(row.linear.shifted(-1), is_equality=False))
    return negated


# --- one disjunct -------------------------------------------------------------------------------


def _comparisons(rows: Sequence[Row], place: Place) -> list[Expr]:
    """Constraints without integer parts first; then the others, which may rely on them."""
    simple = [row for row in rows if not row.linear.has_floors()]
    comparisons = [comparison(row, place) for row in simple]
    if len(simple) < len(rows):
        inner = _assuming(simple, place)
        comparisons += [comparison(row, inner) for row in rows if row.linear.has_floors()]
    return comparisons


def _assuming(rows: Sequence[Row], place: Place) -> Place:
    return place.assuming(_set_of(rows, place)) if rows else place


def _set_of(rows: Sequence[Row], place: Place) -> isl.Set:
    """Where all of the constraints hold."""
    space = place.known.get_space()
    part = isl.Set.universe(space)
    for row in rows:
        aff = isl_aff(row.linear, space, place.iterators)
        constraint = (
            isl.Constraint.equality_from_aff(aff)
            if row.is_equality
            else isl.Constraint.inequality_from_aff(aff)
        )
        part = part.intersect(isl.BasicSet.from_constraint(constraint).to_set())
    return part


def comparison(row: Row, place: Place) -> Expr:
    """One constraint as a comparison; a stride as a remainder that is zero."""
    if not row.is_equality:
        return at_least_zero(settled(_undivided(row.linear, place), place))
    stride = _stride(row.linear)
    if stride is not None:
        dividend, divisor = stride
        operands = (linear_expression(dividend, place), Constant(divisor))
        remainder = Operation(Operator.ZERO_REMAINDER, operands)
        return Operation(Operator.EQUAL, (remainder, Constant(0)))
    names = {atom for atom, _ in row.linear.terms}
    innermost = next((name for name in reversed(place.iterators) if name in names), None)
    leading = None if innermost is None else Identifier(innermost)
    return equals_zero(settled(row.linear, place), leading)


def _undivided(linear: Linear, place: Place) -> Linear:
    """A sum that is not negative where the given one is not, without its integer part if possible.

    k·⌊a/m⌋ + b >= 0 where b = k·q + r with a constant r, 0 <= r < |k|: for k > 0 it says
    ⌊a/m⌋ >= -q, which is a >= -m·q; for k < 0 it says ⌊a/m⌋ <= q with b = |k|·q + r, which is
    a <= m·q + m - 1.
    """
    floors = linear.floors()
    if len(floors) != 1:
        return linear
    ((floor, coefficient),) = floors
    factor, rest = abs(coefficient), linear.without(floor)
    multiple = Linear(rest.terms, rest.constant - rest.constant % factor)
    divisible = all(each % factor == 0 for _, each in rest.terms)
    if not divisible and not place.divides(factor, multiple):
        return linear
    undivided = multiple.times(floor.divisor).plus(floor.dividend, coefficient)
    if coefficient < 0:
        undivided = undivided.shifted(factor * (floor.divisor - 1))
    common = gcd(*(each for _, each in undivided.terms))
    if common <= 1:
        return undivided
    terms = tuple((atom, each // common) for atom, each in undivided.terms)
    return Linear(terms, undivided.constant // common)


def _stride(linear: Linear) -> tuple[Linear, int] | None:
    """The f and c for which the equality says that c divides f.

    f = c·⌊a/m⌋ says so if c·a = m·f + d for a constant d with 0 ≤ d < c·m: then f = c·k gives
    ⌊a/m⌋ = ⌊k + d/(c·m)⌋ = k.
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
    residues = ((atom, _centred(each, divisor)) for atom, each in linear.terms)
    terms = tuple(term for term in residues if term[1])
    if terms and terms[0][1] < 0:
        terms = tuple((atom, -each) for atom, each in terms)
        return Linear(terms, _centred(-linear.constant, divisor))
    return Linear(terms, _centred(linear.constant, divisor))


def _centred(value: int, divisor: int) -> int:
    """The number nearest to zero that is the same modulo the divisor, positive in doubt."""
    residue = value % divisor
    return residue - divisor if 2 * residue > divisor else residue


# --- all and any --------------------------------------------------------------------------------


def conjunction(operands: Sequence[Expr], options: AstOptions) -> Expr:
    """All of the conditions, each once."""
    operator = Operator.LAZY_AND if options.lazy else Operator.EAGER_AND
    return _joined(operator, operands, neutral=TRUE, absorbing=FALSE)


def disjunction(operands: Sequence[Expr], options: AstOptions) -> Expr:
    """Any of the conditions, each once."""
    operator = Operator.LAZY_OR if options.lazy else Operator.EAGER_OR
    return _joined(operator, operands, neutral=FALSE, absorbing=TRUE)


def _joined(
    operator: Operator, operands: Sequence[Expr], *, neutral: Expr, absorbing: Expr
) -> Expr:
    if absorbing in operands:
        return absorbing
    distinct = tuple(dict.fromkeys(each for each in operands if each != neutral))
    if len(distinct) <= 1:
        return distinct[0] if distinct else neutral
    return Operation(operator, distinct)
