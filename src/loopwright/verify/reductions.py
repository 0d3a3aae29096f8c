"""Sums and their like that OpenMP computes in parts: ``reduction(+: s)``.

Each thread, or lane of a vector, starts with the neutral element, applies its own iterations, and
the parts are put together at the end, in any order.  That is the same up to reassociation if all
that the loop does to the variable is to apply the operator to it: rounding, the sign of zero, and
whether a part overflows may differ, and which of several numbers is taken where one of them is none
(NaN), nothing else.

``s -= e`` adds the negative of e, and is a sum.  ``&&`` and ``||`` are left out, as a part may
evaluate what the original program skips.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from loopwright.model.bodies import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Evaluate,
    Expression,
    Increment,
    Literal,
    Node,
    Reference,
    walk_body,
)
from loopwright.model.scop import Array, Statement
from loopwright.verify.failure import NotProved
from loopwright.verify.openmp import ParallelLoop
from loopwright.verify.references import plain_type

ARITHMETIC = ("+", "*", "&", "|", "^")
FUNCTIONS = {
    f"{name}{suffix}": operator
    for name, operator in (("fmax", "max"), ("fmin", "min"))
    for suffix in ("", "f", "l")
}
INTEGERS = frozenset(
    "int|long|long long|unsigned int|unsigned long|unsigned long long".split("|"),
)
FLOATING = frozenset(("float", "double", "long double"))


def require_reductions(
    parallel: ParallelLoop, statements: tuple[Statement, ...], arrays: Mapping[str, Array]
) -> None:
    """Show that a loop only applies the operators to the variables that it is said to reduce."""
    for name, operator in parallel.reductions.items():
        touching = [
            each
            for each in statements
            if each.name in parallel.loop.statements
            and any(access.array == name for access in each.accesses)
        ]
        if not touching:
            raise NotProved(f"the loop does not touch {name}", span=parallel.loop.span)
        for each in touching:
            if _applied(each, name) != operator or not _is_closed(each, name, operator, arrays):
                reason = f"{each.text} is no reduction of {name} by {operator}"
                raise NotProved(reason, span=each.span)


def _applied(statement: Statement, array: str) -> str | None:
    """The operator by which a statement updates a variable, if that is all it does with it."""
    body = statement.body
    while isinstance(body, Block) and len(body.statements) == 1:
        body = body.statements[0]
    own = {each.tag for each in statement.accesses if each.array == array}
    if not isinstance(body, Evaluate) or not isinstance(body.expression, Assign):
        return None
    operator, target, value = (
        body.expression.operator,
        body.expression.target,
        body.expression.value,
    )
    if not _is_own(target, own) or _has_effects(value):
        return None
    if operator != "=":
        applied = "+" if operator == "-=" else operator[:-1]
        return applied if applied in ARITHMETIC and not _mentions(value, own) else None
    return _applied_by(value, own)


def _applied_by(value: Expression, own: set[str]) -> str | None:
    """The operator of ``s op e``, ``e op s``, ``max(s, e)``, or ``s > e ? s : e``."""
    match value:
        case Binary("-", left, right):
            return "+" if _is_own(left, own) and not _mentions(right, own) else None
        case Binary(operator, left, right) if operator in ARITHMETIC:
            return operator if _is_one_of(left, right, own) else None
        case Call(function, (left, right)) if function in FUNCTIONS:
            return FUNCTIONS[function] if _is_one_of(left, right, own) else None
        case Conditional(Binary(("<" | "<=" | ">" | ">=") as test, left, right), then, otherwise):
            if not _is_one_of(left, right, own):
                return None
            larger, smaller = (left, right) if test[0] == ">" else (right, left)
            if _is_same(then, larger, own) and _is_same(otherwise, smaller, own):
                return "max"
            if _is_same(then, smaller, own) and _is_same(otherwise, larger, own):
                return "min"
            return None
        case _:
            return None


def _is_one_of(left: Expression, right: Expression, own: set[str]) -> bool:
    """Is exactly one of the two the variable, and the other one without it?"""
    return (_is_own(left, own) and not _mentions(right, own)) or (
        _is_own(right, own) and not _mentions(left, own)
    )


def _is_own(node: Node, own: set[str]) -> bool:
    return isinstance(node, Reference) and node.tag in own and not node.path


def _mentions(node: Node, own: set[str]) -> bool:
    return any(isinstance(each, Reference) and each.tag in own for each in walk_body(node))


def _has_effects(node: Node) -> bool:
    return any(isinstance(each, Assign | Increment) for each in walk_body(node))


def _is_same(one: Node, other: Node, own: set[str]) -> bool:
    """Are they written alike, and both the variable or both something else?"""
    if _is_own(one, own) or _is_own(other, own):
        return _is_own(one, own) and _is_own(other, own)
    return _untagged(one) == _untagged(other)


def _untagged(part: object) -> object:
    """A tree as plain data, with no word about which access a reference is."""
    if isinstance(part, tuple):
        return tuple(map(_untagged, cast("tuple[object, ...]", part)))
    if not isinstance(part, Node):
        return part
    names = [each for each in part.__match_args__ if each != "tag"]
    return type(part).__name__, *(_untagged(getattr(part, each)) for each in names)


# --- types --------------------------------------------------------------------------------------


def _is_closed(
    statement: Statement, array: str, operator: str, arrays: Mapping[str, Array]
) -> bool:
    """Is the operator associative on values of the types that are involved?

    A sum of fractions that is rounded to an integer at each step is not.
    """
    own = plain_type(arrays[array])
    others = {plain_type(arrays[each.array]) for each in statement.accesses}
    if own not in INTEGERS | FLOATING:
        return False
    if operator in ("max", "min"):
        return others == {own} and not any(isinstance(each, Cast) for each in _nodes(statement))
    return own in FLOATING or (others <= INTEGERS and not _has_fractions(statement))


def _has_fractions(statement: Statement) -> bool:
    """May an expression of integer variables have a value that is none?"""
    for each in _nodes(statement):
        if isinstance(each, Call) or (isinstance(each, Cast) and each.type not in INTEGERS):
            return True
        if isinstance(each, Literal) and not each.text.rstrip("uUlL").isdigit():
            return True
    return False


def _nodes(statement: Statement) -> list[Node]:
    return list(walk_body(statement.body))
