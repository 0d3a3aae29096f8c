"""Integers that a region never changes and that are no variables: ``m->rows``, ``w * l.batch``.

Each is a parameter of its own, whose text is what C computes it with.  To read it, or to compute
it, may be more than the original does in some runs: then it ``asks`` for more than its value.
"""

from __future__ import annotations

import re

from loopwright.basics.records import record
from loopwright.frontend.c_tree import (
    BinaryExpr,
    CastExpr,
    Expr,
    IntLiteral,
    MemberOf,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    walk_expression,
)
from loopwright.frontend.c_types import IntType
from loopwright.frontend.facts import RegionFacts
from loopwright.frontend.fixed_places import FixedPlace, fixed_place

OPAQUE = {"*": "x", "/": "by", "%": "mod", "<<": "shl", ">>": "shr"}
"""Operators that make something new of two unknowns."""
_AFFINE = {"+": "plus", "-": "minus"}
_PLAIN = re.compile(r"(unsigned |signed )?\w+( long)*( int)?")


@record(eq=False)
class Invariant:
    """An expression that the region never changes: its text in C, a name for it, and its type.

    It ``asks`` whether it can be evaluated: a pointer must lead somewhere, a product must fit.
    """

    text: str
    name: str
    type: IntType
    asks: bool
    roots: tuple[Variable, ...]
    """The variables in it."""


def invariant_place(expression: Expr, facts: RegionFacts) -> Invariant | None:
    """An integer in a struct or an array that nobody writes: ``m->rows``, ``points[0]``."""
    type_ = expression.type
    if not isinstance(expression, MemberOf | Subscript) or not isinstance(type_, IntType):
        return None
    place = fixed_place(expression)
    if place is None or not _is_steady(place, facts):
        return None
    if place.has_subscripts and (place.root, place.text) not in facts.asked:
        return None
    return Invariant(place.text, place.name, type_, place.asks, (place.root, *place.indices))


def _is_steady(place: FixedPlace, facts: RegionFacts) -> bool:
    if not all(map(facts.is_parameter, place.indices)):
        return False
    if place.members:
        return all(facts.is_steady_member(place.root, member) for member in place.members)
    return facts.has_steady_elements(place.root)


# --- what is computed of several ----------------------------------------------------------------


def invariant_value(expression: Expr, facts: RegionFacts) -> Invariant | None:
    """What is computed of integers that stay the same, as one unknown."""
    written = _written(expression, facts)
    type_ = expression.type
    if written is None or not isinstance(type_, IntType):
        return None
    uses = [each for each in walk_expression(expression) if isinstance(each, Use)]
    roots = tuple(dict.fromkeys(each.variable for each in uses))
    text, name, asks = written
    return Invariant(text, f"of_{name}" if name[0].isdigit() else name, type_, asks, roots)


def _written(expression: Expr, facts: RegionFacts) -> tuple[str, str, bool] | None:
    """The text and the name of an expression, and whether it asks for more than its value."""
    match expression:
        case IntLiteral(value=value, text=text):
            return (text, str(value), False) if value >= 0 else None
        case Use(variable=variable):
            is_known = facts.is_parameter(variable)
            return (variable.name, variable.name, False) if is_known else None
        case MemberOf() | Subscript():
            place = invariant_place(expression, facts)
            return (place.text, place.name, place.asks) if place is not None else None
        case CastExpr(operand=operand, is_explicit=is_explicit, type=IntType(name=type_)):
            inner = _written(operand, facts)
            if inner is None or not is_explicit:
                return inner
            is_plain = _PLAIN.fullmatch(type_) is not None
            return (f"({type_}){inner[0]}", inner[1], inner[2]) if is_plain else None
        case UnaryExpr(operator="-", operand=operand):
            inner = _written(operand, facts)
            return (f"(-{inner[0]})", f"minus_{inner[1]}", True) if inner is not None else None
        case BinaryExpr(operator=operator, left=left, right=right):
            return _combined(expression, operator, _written(left, facts), _written(right, facts))
        case _:
            return None


def _combined(
    expression: BinaryExpr,
    operator: str,
    left: tuple[str, str, bool] | None,
    right: tuple[str, str, bool] | None,
) -> tuple[str, str, bool] | None:
    word = {**OPAQUE, **_AFFINE}.get(operator)
    if left is None or right is None or word is None or not isinstance(expression.type, IntType):
        return None
    wraps = not expression.type.is_signed and operator in ("+", "-", "*")
    text = f"({left[0]} {operator} {right[0]})"
    return text, f"{left[1]}_{word}_{right[1]}", left[2] or right[2] or not wraps
