"""Which pointers a statement makes point into what: assignments, initialisers, copied structs."""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.addresses import (
    Node,
    members_pointed_into,
    nodes_pointed_into,
    roots,
)
from loopwright.frontend.c_tree import (
    AssignExpr,
    DeclStmt,
    Expr,
    ListExpr,
    MemberOf,
    Stmt,
    Use,
    parts_of,
    walk_expression,
    without_casts,
)
from loopwright.frontend.c_types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
    element_of,
    holds_pointers,
)


@record(eq=False)
class Derivation:
    """A pointer, what it was made to point into, and where.

    It ``is_one_way`` if nobody can set the one by means of the other: no pointers lie there.
    """

    pointer: Node
    base: Node
    span: Span
    is_one_way: bool = False


def derived_by(statement: Stmt) -> Iterator[Derivation]:
    """What a statement itself sets, the ones inside of it left out."""
    if isinstance(statement, DeclStmt) and statement.value is not None:
        target = Use(statement.variable, statement.variable.type, statement.span)
        yield from _set(target, statement.value, statement.span)
    for expression in parts_of(statement)[0]:
        for each in walk_expression(expression):
            if isinstance(each, AssignExpr):
                yield from _set(each.target, each.value, each.span)


def _set(target: Expr, value: Expr, span: Span) -> Iterator[Derivation]:
    """What an assignment or initialiser makes the target's pointers point into."""
    bare = without_casts(value)
    member = target.name if isinstance(target, MemberOf) else ""
    for root in roots(target):
        match target.type:
            case PointerType():
                is_one_way = _leads_to_numbers(target.type) and _leads_to_numbers(bare.type)
                for base in nodes_pointed_into(value):
                    yield Derivation((root, member), base, span, is_one_way)
            case RecordType():
                if isinstance(bare, ListExpr):
                    for field, base in members_pointed_into(target.type, bare):
                        yield Derivation((root, field), (base, ""), span)
                for field, base in _copied_members(target.type, bare):
                    yield Derivation((root, field), base, span)
            case ArrayType():
                for base in _nodes_in_list(bare):
                    yield Derivation((root, ""), base, span)
            case _:
                pass  # a number that is computed from an array does not point into it


def _leads_to_numbers(type_: CType) -> bool:
    """Is it a pointer to, or an array of, what holds no pointers?"""
    if not isinstance(type_, PointerType | ArrayType):
        return False
    element = element_of(type_)
    while isinstance(element, ArrayType):
        element = element.element
    if isinstance(element, RecordType):
        return all(isinstance(each.type, IntType | FloatType) for each in element.fields)
    return isinstance(element, IntType | FloatType)


def _copied_members(record: RecordType, value: Expr) -> Iterator[tuple[str, Node]]:
    """The pointers of a struct that is copied, and those of the other one."""
    for field in record.fields if not isinstance(value, ListExpr) else ():
        if holds_pointers(field.type):
            for source in roots(value):
                yield field.name, (source, field.name)


def _nodes_in_list(value: Expr) -> Iterator[Node]:
    """What the addresses in an initialiser list point into."""
    for each in value.values if isinstance(value, ListExpr) else ():
        yield from nodes_pointed_into(each)
