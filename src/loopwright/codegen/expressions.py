"""AST expressions from piecewise quasi-affine functions, where they stand (§5.10)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

import islpy as isl

from loopwright.basics.names import C_KEYWORDS
from loopwright.codegen.affine_terms import read_constraint
from loopwright.codegen.build import Build
from loopwright.codegen.conditions import Row, comparison, condition, conjunction
from loopwright.codegen.options import AstOptions
from loopwright.codegen.piecewise import (
    Value,
    extreme,
    pieces_within,
    sum_of,
    undominated,
    value_of,
    written,
)
from loopwright.codegen.places import Place, place_of
from loopwright.codegen.remainders import settled
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
_SET = isl.dim_type.set


def aff_expression(aff: isl.Aff, build: Build) -> Expr:
    """A quasi-affine function of the iterators; a denominator means an exact division.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : n >= 2 }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> print(expression_text(aff_expression(isl.Aff("[n] -> { [i] -> [n - i - 1] }"), build)))
    n - c0 - 1
    >>> aff = isl.Aff("[n] -> { [i] -> [4 * floor(n/4) + 2] }")
    >>> print(expression_text(aff_expression(aff, build)))
    -(n % 4) + n + 2
    """
    return sum_expression(sum_of(aff, place_of(build)))


def pw_aff_expression(pw: isl.PwAff, build: Build) -> Expr:
    """A piecewise quasi-affine function of the iterators, where it is defined.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : i >= 1 }")
    >>> build = Build(("i",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> pw = isl.PwAff("[n] -> { [i] -> [n - 1] : i = 0; [i] -> [i - 1] : i != 0 }")
    >>> print(expression_text(pw_aff_expression(pw, build)))
    i - 1
    """
    return _expression_at(pw, place_of(build), build.options)


def _expression_at(pw: isl.PwAff, place: Place, options: AstOptions) -> Expr:
    return written(value_of(pieces_within(pw, place.known), place, options), place, options)


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


def _extreme_bound(operator: Operator, bounds: Sequence[isl.PwAff], build: Build) -> Expr:
    place = place_of(build)
    values = _bound_values(operator, bounds, place, build.options)
    return extreme(operator, values, place, build.options)


def _bound_values(
    operator: Operator, bounds: Sequence[isl.PwAff], place: Place, options: AstOptions
) -> list[Value]:
    pieces = [pieces_within(bound, place.known) for bound in bounds]
    if len(pieces) > 1:
        pieces = undominated(operator, pieces, place)
    return [value_of(each, place, options) for each in pieces]


def upper_condition(iterator: str, bounds: Sequence[isl.PwAff], build: Build) -> Expr:
    """``iterator <= least(bounds)``, or ``<`` where bounds that are one higher read better.

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
    place = place_of(build)
    values = _bound_values(Operator.MINIMUM, bounds, place, build.options)
    operator = Operator.LESS_OR_EQUAL
    if _read_better_one_higher([total for value in values for total in value.sums]):
        values = [value.plus(1) for value in values]
        operator = Operator.LESS
    bound = extreme(Operator.MINIMUM, values, place, build.options)
    return Operation(operator, (Identifier(iterator), bound))


def _read_better_one_higher(bounds: Sequence[Sum]) -> bool:
    """Does ``n - 1``, or what else is subtracted, occur in each that is not a mere number?"""
    constants = [total.constant for total in bounds if total.terms]
    return bool(constants) and all(constant < 0 for constant in constants)


def bound_conjunction(iterator: str, constraints: Sequence[isl.Constraint], build: Build) -> Expr:
    """Upper bounds as one comparison each; the iterator is the last dimension (Example 5.9).

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[M] -> { [c1, c3] }")
    >>> identity = isl.MultiAff("[M] -> { [c1, c3] -> [c1, c3] }")
    >>> build = Build(("c1", "c3"), known, identity, AstOptions())
    >>> part = isl.BasicSet("[M] -> { [c1, c3] : c3 < M and 3c3 + 8 <= c1 }")
    >>> print(expression_text(bound_conjunction("c3", part.get_constraints(), build)))
    c3 < M && c1 >= 3 * c3 + 8
    """
    assert build.iterators[-1] == iterator, f"{iterator} is not the last of {build.iterators}"
    place = place_of(build)
    rows = [
        Row(read_constraint(constraint, build.iterators), constraint.is_equality())
        for constraint in constraints
    ]
    return conjunction([_bound_comparison(iterator, row, place) for row in rows], build.options)


def _bound_comparison(iterator: str, row: Row, place: Place) -> Expr:
    """The iterator on the left where it stands alone, as in any loop."""
    if row.is_equality or (iterator, -1) not in row.linear.terms:
        return comparison(row, place)
    bound = settled(row.linear.without(iterator), place)
    if not _read_better_one_higher([bound]):
        operands = (Identifier(iterator), sum_expression(bound))
        return Operation(Operator.LESS_OR_EQUAL, operands)
    bound = Sum(bound.terms, bound.constant + 1)
    return Operation(Operator.LESS, (Identifier(iterator), sum_expression(bound)))


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


def access(element: isl.PwMultiAff | isl.MultiAff, build: Build) -> Operation:
    """The element of an array: of schedule dimensions, of the instance, or of parameters.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : i >= 1 }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> print(expression_text(access(isl.PwMultiAff("[n] -> { [t] -> A[t - 1] }"), build)))
    A[c0 - 1]
    """
    if isinstance(element, isl.MultiAff):
        element = isl.PwMultiAff.from_multi_aff(element)
    return Operation(Operator.ACCESS, _tuple(_over_iterators(element, build), build))


def expression(value: isl.PwAff | isl.Aff, build: Build) -> Expr:
    """A value: of schedule dimensions, of the instance at a statement, or of parameters.

    >>> from loopwright.model.expressions import expression_text
    >>> known = isl.Set("[n] -> { [i] : i >= 1 }")
    >>> build = Build(("c0",), known, isl.MultiAff("[n] -> { [i] -> [i] }"), AstOptions())
    >>> print(expression_text(expression(isl.PwAff("[n] -> { [t] -> [2t - n] }"), build)))
    2 * c0 - n
    """
    if isinstance(value, isl.Aff):
        value = isl.PwAff.from_aff(value)
    return pw_aff_expression(_over_iterators(value, build), build)


Function = TypeVar("Function", isl.PwAff, isl.PwMultiAff)


def _over_iterators(function: Function, build: Build) -> Function:
    """The function of whatever it is a function of, in terms of the iterators."""
    space = function.get_domain_space()
    if space.is_params():
        return function.insert_domain(build.known.get_space())
    if _stands_for_instance(space, build):
        return function.pullback_pw_multi_aff(_instance(build, space))
    return function.pullback_multi_aff(build.schedule)


def _stands_for_instance(space: isl.Space, build: Build) -> bool:
    """Schedule dimensions have no tuple name; instances of nameless statements have none either."""
    if space.is_wrapping() or space.has_tuple_name(_SET):
        return True
    return build.instance is not None and space.dim(_SET) != build.schedule.dim(_OUT)


def _instance(build: Build, space: isl.Space) -> isl.PwMultiAff:
    if build.instance is None:
        raise ValueError(f"a function of {space} stands at no statement")
    here = build.instance.get_space().range()
    if not here.drop_all_params().is_equal(space.drop_all_params()):
        raise ValueError(f"a function of {space} stands at the statement {here}")
    return build.instance


def _tuple(function: isl.PwMultiAff, build: Build) -> tuple[Expr, ...]:
    place = place_of(build)
    name = Identifier(_tuple_name(function.get_space().range()))
    values = [
        _expression_at(function.get_at(position), place, build.options)
        for position in range(function.dim(_OUT))
    ]
    return (name, *values)


def _tuple_name(space: isl.Space) -> str:
    """A name that C accepts, different for different tuples; of nested ones without, all names."""
    name = space.get_tuple_name(_SET) if space.has_tuple_name(_SET) else None
    if name is None:
        if not space.is_wrapping():
            return "unnamed"
        inner = space.unwrap()
        return f"{_tuple_name(inner.domain())}_{_tuple_name(inner.range())}"
    spelled = re.sub(r"\W", lambda odd: f"_{ord(odd[0]):x}_", name, flags=re.ASCII)
    return f"_{spelled}" if spelled in C_KEYWORDS or spelled[0].isdigit() else spelled
