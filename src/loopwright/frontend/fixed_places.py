"""Places that an expression names by members and by subscripts that stay: ``m->size[0]``."""

from __future__ import annotations

from dataclasses import replace

from loopwright.basics.records import record
from loopwright.frontend.c_tree import (
    CastExpr,
    Expr,
    IntLiteral,
    MemberOf,
    Subscript,
    Use,
    Variable,
    walk_expression,
)
from loopwright.frontend.c_types import ArrayType, CType, PointerType, RecordType


@record(eq=False)
class FixedPlace:
    """A variable, or a part of it: how C writes it, a name for it, and the way there.

    ``indices`` are the variables among the subscripts.  It ``asks`` whether it is there at all: a
    pointer must lead to that many elements.
    """

    root: Variable
    text: str
    name: str
    members: tuple[str, ...] = ()
    indices: tuple[Variable, ...] = ()
    has_subscripts: bool = False
    asks: bool = False


def fixed_place(expression: Expr) -> FixedPlace | None:
    """The place that an expression names, if it is such a one."""
    match expression:
        case Use(variable=variable):
            return FixedPlace(variable, variable.name, variable.name)
        case MemberOf(base=base, name=name, is_arrow=is_arrow):
            before = fixed_place(base)
            if before is None or _is_union(base.type) or (is_arrow and before.has_subscripts):
                return None
            text = f"{before.text}{'->' if is_arrow else '.'}{name}"
            members = *before.members, name
            return replace(before, text=text, name=f"{before.name}_{name}", members=members)
        case Subscript(base=base, index=index):
            before, at = fixed_place(base), _index(index)
            if before is None or at is None:
                return None
            return replace(
                before,
                text=f"{before.text}[{_spelled(at)}]",
                name=f"{before.name}_{_spelled(at)}",
                indices=(*before.indices, *([at] if isinstance(at, Variable) else [])),
                has_subscripts=True,
                asks=before.asks or not _is_inside(base.type, index),
            )
        case _:
            return None


def _index(index: Expr) -> int | Variable | None:
    """A subscript that is a number or a variable."""
    match index:
        case IntLiteral(value=value) if value >= 0:
            return value
        case CastExpr(operand=operand, is_explicit=False):
            return _index(operand)
        case Use(variable=variable):
            return variable
        case _:
            return None


def _spelled(index: int | Variable) -> str:
    return index.name if isinstance(index, Variable) else str(index)


def _is_inside(array: CType, index: Expr) -> bool:
    """Is it an element for certain, of an array that is there for certain?"""
    match array, index:
        case ArrayType(extent=IntLiteral(value=size)), IntLiteral(value=at):
            return 0 <= at < size
        case _:
            return False


def _is_union(type_: CType) -> bool:
    if isinstance(type_, PointerType):
        type_ = type_.target
    return isinstance(type_, RecordType) and type_.is_union


def asked_by(expression: Expr) -> set[tuple[Variable, str]]:
    """The elements at fixed places in an expression that decides what runs."""
    found: set[tuple[Variable, str]] = set()
    for each in walk_expression(expression):
        path = fixed_place(each) if isinstance(each, MemberOf | Subscript) else None
        if path is not None and path.has_subscripts:
            found.add((path.root, path.text))
    return found
