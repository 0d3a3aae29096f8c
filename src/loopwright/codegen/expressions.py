"""AST expressions from piecewise quasi-affine functions, where they stand (§5.10)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import islpy as isl

from loopwright.codegen.affine_terms import read_aff, read_constraint
from loopwright.codegen.build import Build
from loopwright.codegen.conditions import Row, comparison, condition, condition_at, joined, place_of
from loopwright.codegen.options import AstOptions
from loopwright.codegen.remainders import Place, exact_quotient, settled
from loopwright.codegen.sums import Sum, sum_expression
from loopwright.model.expressions import Expr, Identifier, Operation, Operator

__all__ = [
    "access",
    "aff_expression",
    "bound_conjunction",
    "call",
    "condition",
    "expression",
    "greatest",
    "least",
    "pw_aff_expression",
    "upper_condition",
]

_OUT = isl.dim_type.out
Piece = tuple[isl.Set, isl.Aff]


def aff_expression(aff: isl.Aff, build: Build) -> Expr:
    """A quasi-affine function of the iterators.

    A denominator means an exact division: isl's functions have integer values where they are used.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : n >= 2 }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> print(expression_text(aff_expression(isl.Aff("[n] -> { [i] -> [n - i - 1] }"), build)))
    n - c0 - 1
    >>> aff = isl.Aff("[n] -> { [i] -> [4 * floor(n/4) + 2] }")
    >>> print(expression_text(aff_expression(aff, build)))
    -(n % 4) + n + 2
    """
    return sum_expression(_aff_sum(aff, place_of(build)))


def _aff_sum(aff: isl.Aff, place: Place, offset: int = 0) -> Sum:
    linear, denominator = read_aff(aff, place.iterators)
    if denominator == 1:
        return settled(linear.shifted(offset), place)
    return exact_quotient(linear.shifted(offset * denominator), denominator, place)


def pw_aff_expression(pw: isl.PwAff, build: Build) -> Expr:
    """A piecewise quasi-affine function of the iterators, where it is defined.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : i >= 1 }")
    >>> build = Build(("i",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> pw = isl.PwAff("[n] -> { [i] -> [n - 1] : i = 0; [i] -> [i - 1] : i != 0 }")
    >>> print(expression_text(pw_aff_expression(pw, build)))
    i - 1
    """
    return _piecewise(_pieces(pw, build.known), place_of(build), build.options)


def _pieces(pw: isl.PwAff, known: isl.Set) -> list[Piece]:
    """The pieces that matter within what is known."""
    if not known.plain_is_universe():
        pw = pw.gist(known)
    if pw.n_piece() > 1:
        pw = pw.intersect_domain(known).gist(known).coalesce()
    return pw.get_pieces()


def _piecewise(pieces: Sequence[Piece], place: Place, options: AstOptions, offset: int = 0) -> Expr:
    assert pieces, "an expression that is defined nowhere"
    if len(pieces) == 1:
        return sum_expression(_aff_sum(pieces[0][1], place, offset))
    if options.detect_min_max:
        for operator in (Operator.MAXIMUM, Operator.MINIMUM):
            if _is_extreme(pieces, operator, place):
                affs = [aff for _, aff in pieces]
                sums = [_aff_sum(aff, place, offset) for aff in affs]
                return _extreme(operator, sums, place.iterators)
    return _conditional(list(pieces), place, options, offset)


def _is_extreme(pieces: Sequence[Piece], operator: Operator, place: Place) -> bool:
    """Is each piece the greatest, or the least, of all where it is the value?"""
    for domain, aff in pieces:
        here = domain.intersect(place.known)
        for _, other in pieces:
            worse = aff.lt_set(other) if operator is Operator.MAXIMUM else aff.gt_set(other)
            if other is not aff and not here.is_disjoint(worse):
                return False
    return True


def _conditional(pieces: list[Piece], place: Place, options: AstOptions, offset: int) -> Expr:
    """Test for one piece after the other; the last needs no test."""
    pieces.sort(key=lambda piece: _weight(piece[0]))
    operator = Operator.LAZY_CONDITIONAL if options.lazy else Operator.EAGER_CONDITIONAL
    values = [
        sum_expression(_aff_sum(aff, place.assuming(domain), offset)) for domain, aff in pieces
    ]
    result, remaining = values[-1], pieces[-1][0]
    for (domain, _), value in zip(reversed(pieces[:-1]), reversed(values[:-1]), strict=True):
        remaining = remaining.union(domain)
        test = condition_at(domain, place.assuming(remaining), options)
        result = value if value == result else Operation(operator, (test, value, result))
    return result


def _weight(domain: isl.Set) -> tuple[int, int]:
    parts = domain.get_basic_sets()
    return len(parts), sum(part.n_constraint() for part in parts)


# --- bounds -------------------------------------------------------------------------------------


def greatest(bounds: Sequence[isl.PwAff], build: Build) -> Expr:
    """The greatest of the bounds; none that another one reaches everywhere.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : i >= 2 }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> texts = ["[n] -> { [i] -> [0] }", "[n] -> { [i] -> [i - 1] }", "[n] -> { [i] -> [n] }"]
    >>> print(expression_text(greatest([isl.PwAff(text) for text in texts], build)))
    max(n, c0 - 1)
    """
    return _extreme_bound(Operator.MAXIMUM, bounds, build)


def least(bounds: Sequence[isl.PwAff], build: Build) -> Expr:
    """The least of the bounds; none that is never less than another one.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : i >= 2 }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> texts = ["[n] -> { [i] -> [i + 3] }", "[n] -> { [i] -> [n - 1] }"]
    >>> print(expression_text(least([isl.PwAff(text) for text in texts], build)))
    min(n - 1, c0 + 3)
    """
    return _extreme_bound(Operator.MINIMUM, bounds, build)


def _extreme_bound(
    operator: Operator, bounds: Sequence[isl.PwAff], build: Build, offset: int = 0
) -> Expr:
    place = place_of(build)
    chosen = [_pieces(bound, build.known) for bound in _undominated(operator, bounds, build.known)]
    if len(chosen) == 1:
        return _piecewise(chosen[0], place, build.options, offset)
    sums: list[Sum | Expr] = [
        _aff_sum(pieces[0][1], place, offset)
        if len(pieces) == 1
        else _piecewise(pieces, place, build.options, offset)
        for pieces in chosen
    ]
    return _extreme(operator, sums, build.iterators)


def _undominated(
    operator: Operator, bounds: Sequence[isl.PwAff], known: isl.Set
) -> list[isl.PwAff]:
    if len(bounds) == 1:
        return list(bounds)
    kept = list(bounds)
    for bound in bounds:
        others = [other for other in kept if other is not bound]
        if any(_dominates(operator, other, bound, known) for other in others):
            kept = others
    return kept


def _dominates(operator: Operator, one: isl.PwAff, other: isl.PwAff, known: isl.Set) -> bool:
    better = other.gt_set(one) if operator is Operator.MAXIMUM else other.lt_set(one)
    return known.is_disjoint(better)


def _extreme(operator: Operator, operands: Sequence[Sum | Expr], iterators: Sequence[str]) -> Expr:
    """The minimum or maximum: constants first, then what stands further out."""
    ordered = sorted(operands, key=lambda operand: _rank(operand, iterators))
    written = [sum_expression(each) if isinstance(each, Sum) else each for each in ordered]
    distinct = tuple(dict.fromkeys(written))
    return distinct[0] if len(distinct) == 1 else Operation(operator, distinct)


def _rank(operand: Sum | Expr, iterators: Sequence[str]) -> int:
    """Constants, then what has to be divided, then variables from the outside in."""
    if not isinstance(operand, Sum):
        return len(iterators) + 3
    if not operand.terms:
        return 0
    if not all(isinstance(each, Identifier) for each, _ in operand.terms):
        return 1
    names = {each.name for each, _ in operand.terms if isinstance(each, Identifier)}
    return 2 + max((at + 1 for at, name in enumerate(iterators) if name in names), default=0)


def upper_condition(iterator: str, bounds: Sequence[isl.PwAff], build: Build) -> Expr:
    """``iterator <= least(bounds)``, or ``<`` where a bound one higher reads better.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> bound = isl.PwAff("[n] -> { [i] -> [n - 1] }")
    >>> print(expression_text(upper_condition("c1", [bound], build)))
    c1 < n
    >>> bounds = [bound, isl.PwAff("[n] -> { [i] -> [i + 3] }")]
    >>> print(expression_text(upper_condition("c1", bounds, build)))
    c1 <= min(n - 1, c0 + 3)
    """
    strict = _read_better_one_higher(bounds, build)
    bound = _extreme_bound(Operator.MINIMUM, bounds, build, offset=1 if strict else 0)
    operator = Operator.LESS if strict else Operator.LESS_OR_EQUAL
    return Operation(operator, (Identifier(iterator), bound))


def _read_better_one_higher(bounds: Sequence[isl.PwAff], build: Build) -> bool:
    place = place_of(build)
    sums = [_aff_sum(aff, place) for bound in bounds for _, aff in _pieces(bound, build.known)]
    constants = [total.constant for total in sums if total.terms]
    return bool(constants) and all(constant < 0 for constant in constants)


def bound_conjunction(iterator: str, constraints: Sequence[isl.Constraint], build: Build) -> Expr:
    """Upper bounds as one comparison each; the iterator is the last dimension (Example 5.9).

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[M] -> { [c1, c3] }")
    >>> identity = isl.MultiAff("[M] -> { [c1, c3] -> [c1, c3] }")
    >>> build = Build(("c1", "c3"), known, identity, AstOptions())
    >>> part = isl.BasicSet("[M] -> { [c1, c3] : c3 < M and 3c3 + 8 <= c1 }")
    >>> print(expression_text(bound_conjunction("c3", part.get_constraints(), build)))
    M > c3 && c1 >= 3 * c3 + 8
    """
    assert build.iterators[-1] == iterator
    place = place_of(build)
    comparisons = [
        comparison(
            Row(read_constraint(constraint, build.iterators), constraint.is_equality()), place
        )
        for constraint in constraints
    ]
    operator = Operator.LAZY_AND if build.options.lazy else Operator.EAGER_AND
    return joined(operator, comparisons)


# --- tuples -------------------------------------------------------------------------------------


def call(instance: isl.PwMultiAff, build: Build) -> Operation:
    """The statement applied to the instance: ``S(c0, c1 + 1)``.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> print(expression_text(call(isl.PwMultiAff("[n] -> { [i] -> S[n, i + 1] }"), build)))
    S(n, c0 + 1)
    """
    return Operation(Operator.CALL, _tuple(instance, build))


def access(element: isl.PwMultiAff, build: Build) -> Operation:
    """The element of an array: of schedule dimensions, of the instance, or of parameters.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : i >= 1 }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> print(expression_text(access(isl.PwMultiAff("[n] -> { [t] -> A[t - 1] }"), build)))
    A[c0 - 1]
    """
    pulled = _over_iterators(element, build)
    assert isinstance(pulled, isl.PwMultiAff)
    return Operation(Operator.ACCESS, _tuple(pulled, build))


def expression(value: isl.PwAff, build: Build) -> Expr:
    """A value: of schedule dimensions, of the instance at a statement, or of parameters.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : i >= 1 }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> print(expression_text(expression(isl.PwAff("[n] -> { [t] -> [2t - n] }"), build)))
    2 * c0 - n
    """
    pulled = _over_iterators(value, build)
    assert isinstance(pulled, isl.PwAff)
    return pw_aff_expression(pulled, build)


def _over_iterators(
    function: isl.PwAff | isl.PwMultiAff, build: Build
) -> isl.PwAff | isl.PwMultiAff:
    space = function.get_domain_space()
    if space.is_params():
        return function.insert_domain(build.known.get_space())
    dimensions = space.dim(isl.dim_type.set)
    is_named = space.is_wrapping() or space.has_tuple_name(isl.dim_type.set)
    if is_named or dimensions != build.schedule.dim(_OUT):
        assert build.instance is not None, f"{function} stands at no statement"
        return function.pullback_pw_multi_aff(build.instance)
    return function.pullback_multi_aff(build.schedule)


def _tuple(function: isl.PwMultiAff, build: Build) -> tuple[Expr, ...]:
    place = place_of(build)
    name = Identifier(_tuple_name(function.get_space().range()))
    values = (
        _piecewise(_pieces(function.get_at(position), build.known), place, build.options)
        for position in range(function.dim(_OUT))
    )
    return (name, *values)


def _tuple_name(space: isl.Space) -> str:
    """A name that C accepts; of nested tuples, all their names."""
    if space.is_wrapping():
        inner = space.unwrap()
        return f"{_tuple_name(inner.domain())}_{_tuple_name(inner.range())}"
    name = space.get_tuple_name(isl.dim_type.set)
    return re.sub(r"\W", "_", name) if name else "S"
