"""Which variables an address may lie in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loopwright.frontend.c_tree import (
    AssignExpr,
    BinaryExpr,
    CallExpr,
    CastExpr,
    ConditionalExpr,
    Expr,
    IncrementExpr,
    ListExpr,
    MemberOf,
    OpaqueExpr,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    subexpressions,
    walk_expression,
    without_casts,
)
from loopwright.frontend.c_types import (
    ArrayType,
    CType,
    IntType,
    PointerType,
    RecordType,
    holds_pointers,
)


def addressed_by(expressions: Iterable[Expr]) -> set[Variable]:
    """Variables that the addresses among these expressions point into."""
    return {base for each in expressions for base in pointed_into(each)}


def pointed_into(  # noqa: C901 - one case a kind of expression
    expression: Expr,
) -> Iterator[Variable]:
    """The variables whose memory an address may lie in; offsets and sizes do not count."""
    match expression:
        case UnaryExpr(operator="&", operand=operand) | IncrementExpr(target=operand):
            yield from roots(operand)
        case Use(type=PointerType() | ArrayType()):
            yield expression.variable
        case CastExpr(type=PointerType(), operand=operand) if isinstance(operand.type, IntType):
            for each in walk_expression(operand):
                yield from [each.variable] if isinstance(each, Use) else ()
        case (
            Subscript(type=PointerType() | ArrayType()) | MemberOf(type=PointerType() | ArrayType())
        ):
            yield from roots(expression)
        case CastExpr() | BinaryExpr() | ConditionalExpr() | CallExpr() | AssignExpr() | ListExpr():
            for each in subexpressions(expression):
                yield from pointed_into(each)
        case UnaryExpr(operator="*", operand=operand):
            yield from pointed_into(operand)
        case OpaqueExpr(uses=uses):
            for each in uses:
                yield from pointed_into(each)
        case _:
            pass


def roots(place: Expr) -> Iterator[Variable]:
    """The variable at the start of a path of subscripts and members."""
    match place:
        case Use(variable=variable):
            yield variable
        case Subscript(base=base) | MemberOf(base=base):
            yield from roots(base)
        case CastExpr(operand=operand) | UnaryExpr(operand=operand):
            yield from roots(operand)
        case _:
            yield from pointed_into(place)


def members_pointed_into(type_: CType, value: Expr) -> Iterator[tuple[str, Variable]]:
    """The members that the initialiser of a struct sets, and what they then point into.

    Where it says by name what goes where, or has lists in it, that is any of those which can.
    """
    fields = type_.fields if isinstance(type_, RecordType) else ()
    values = value.values if isinstance(value, ListExpr) else (value,)
    is_plain = isinstance(value, ListExpr) and value.is_ordered and len(values) <= len(fields)
    if is_plain and not any(isinstance(each, ListExpr) for each in values):
        for field, each in zip(fields, values, strict=False):
            yield from ((field.name, base) for base in pointed_into(each))
        return
    for name in pointer_members(type_):
        yield from ((name, base) for each in values for base in pointed_into(each))


def pointer_members(type_: CType) -> Iterator[str]:
    """The members that are or hold pointers, those of the structs in a struct too."""
    for field in type_.fields if isinstance(type_, RecordType) else ():
        if holds_pointers(field.type):
            yield field.name
            yield from pointer_members(field.type)


Node = tuple[Variable, str]
"""A pointer that can be told apart from others: a variable, or one of its members.

``&name`` is the memory of a struct that is a member of the variable's.
"""


def nodes_pointed_into(expression: Expr) -> Iterator[Node]:
    """The same, with the pointers that a struct holds told apart from the struct."""
    match without_casts(expression):
        case MemberOf(name=name, type=PointerType() | ArrayType()) as member:
            for root in roots(member):
                yield root, name
        case UnaryExpr(operator="&", operand=MemberOf(type=RecordType()) as member):
            part = _part(member)
            yield from [part] if part is not None else [(each, "") for each in roots(member)]
        case UnaryExpr(operator="&", operand=Subscript(base=base)):
            yield from nodes_pointed_into(base)
        case Subscript(base=base, type=PointerType() | ArrayType()):
            yield from nodes_pointed_into(base)
        case IncrementExpr(target=target):
            yield from nodes_pointed_into(target)
        case BinaryExpr(left=left, right=right) | ConditionalExpr(then=left, otherwise=right):
            yield from nodes_pointed_into(left)
            yield from nodes_pointed_into(right)
        case _:
            for variable in pointed_into(expression):
                yield variable, ""


def _part(member: MemberOf) -> Node | None:
    """The member of a variable's struct that a struct is, or lies in; none of a union."""
    base, type_ = member.base, member.base.type
    while isinstance(base, MemberOf) and not member.is_arrow:
        member, base, type_ = base, base.base, base.base.type
    record = type_.target if isinstance(type_, PointerType) else type_
    fields = record.fields if isinstance(record, RecordType) and not record.is_union else ()
    is_plain = any(each.name == member.name and not each.shares_memory for each in fields)
    return (base.variable, f"&{member.name}") if isinstance(base, Use) and is_plain else None
