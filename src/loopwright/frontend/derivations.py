"""Which pointers a statement makes point into what: assignments, initialisers, copied structs."""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.addresses import (
    Node,
    members_pointed_into,
    nodes_pointed_into,
    pointed_into,
    pointer_members,
    roots,
)
from loopwright.frontend.c_tree import (
    AssignExpr,
    CallExpr,
    CastExpr,
    DeclStmt,
    Expr,
    Function,
    ListExpr,
    MemberOf,
    Stmt,
    Subscript,
    UnaryExpr,
    Use,
    Variable,
    parts_of,
    walk_expression,
    walk_statements,
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
            if isinstance(each, CallExpr):
                yield from _set_by_call(each)


def _set_by_call(call: CallExpr) -> Iterator[Derivation]:
    """What a function of the file may make of the pointers whose addresses it gets."""
    definition = call.callee.definition() if len(call.arguments) > 1 else None
    if definition is None or not sets_pointers(definition):
        return
    for at, given in enumerate(call.arguments):
        others = [each for number, each in enumerate(call.arguments) if number != at]
        for pointer in _settable(given):
            for base in (base for each in others for base in nodes_pointed_into(each)):
                yield Derivation(pointer, base, call.span)


def sets_pointers(definition: Function) -> bool:
    """Does it assign a pointer, or call somebody else who might?"""
    return any(
        isinstance(each, CallExpr)
        or (isinstance(each, AssignExpr) and holds_pointers(each.target.type))
        for statement in walk_statements(definition.body)
        for expression in parts_of(statement)[0]
        for each in walk_expression(expression)
    )


def _settable(argument: Expr) -> Iterator[Node]:
    """The pointers that somebody can set who gets this address."""
    bare = without_casts(argument)
    if not isinstance(bare.type, PointerType | ArrayType):
        return
    target = element_of(bare.type)
    for root in roots(bare):
        if isinstance(target, PointerType):
            inner = bare.operand if isinstance(bare, UnaryExpr) else bare
            yield root, inner.name if isinstance(inner, MemberOf) else ""
        for name in pointer_members(target):
            yield root, name


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
                for field, base in _record_members(target.type, bare):
                    yield Derivation((root, field), base, span)
            case ArrayType():
                for base in _nodes_in_list(bare):
                    yield Derivation((root, ""), base, span)
            case IntType() if any(map(_is_address, walk_expression(value))):
                for variable in pointed_into(value):
                    yield Derivation((root, member), (variable, ""), span)
            case _:
                pass  # a number that is computed from elements does not point to them


def _is_address(part: Expr) -> bool:
    """Does it make a number of an address?"""
    match part:
        case CastExpr(type=IntType(), operand=operand):
            return isinstance(operand.type, PointerType | ArrayType)
        case _:
            return False


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


def _record_members(record: RecordType, value: Expr) -> Iterator[tuple[str, Node]]:
    """The pointers of a struct that is set to a list or copied, and what they then point to."""
    if isinstance(value, ListExpr):
        for field, base in members_pointed_into(record, value):
            yield field, (base, "")
    yield from _copied_members(record, value)


def _copied_members(record: RecordType, value: Expr) -> Iterator[tuple[str, Node]]:
    """The pointers of a struct that is copied, and those of the other one.

    Where it is no variable or a part of one, they may be any that it was made of.
    """
    is_place = isinstance(value, Use | MemberOf | Subscript | UnaryExpr)
    for name in pointer_members(record) if not isinstance(value, ListExpr) else ():
        for source in roots(value) if is_place else _pointing_in(value):
            yield name, (source, name)
            if not is_place:
                yield name, (source, "")


def _pointing_in(value: Expr) -> Iterator[Variable]:
    """All variables of an expression that are or hold addresses."""
    for each in walk_expression(value):
        is_address = isinstance(each, Use) and isinstance(each.type, ArrayType)
        if isinstance(each, Use) and (is_address or holds_pointers(each.type)):
            yield each.variable


def _nodes_in_list(value: Expr) -> Iterator[Node]:
    """What the addresses in an initialiser list point into."""
    for each in value.values if isinstance(value, ListExpr) else ():
        yield from nodes_pointed_into(each)
