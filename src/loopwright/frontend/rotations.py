"""Pointers that change places after each step: ``s = a; a = b; b = s;`` are two arrays as before.

A *rotation* is a run of copies between pointers, one after the other, which leaves some of them
with the old values of all of those.  What points to different arrays before still does after it.
That holds for the whole time after their first values if those are all set before anybody
rotates: a pointer that is set again, from where it came, may meet the others there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.addresses import Node, roots
from loopwright.frontend.c_tree import (
    AssignExpr,
    CallExpr,
    Compound,
    DeclStmt,
    Expr,
    ExprStmt,
    ForStmt,
    Function,
    MemberOf,
    OpaqueStmt,
    Stmt,
    UnaryExpr,
    Use,
    Variable,
    WhileStmt,
    declarations_in,
    parts_of,
    walk_expression,
    walk_statements,
    without_casts,
)
from loopwright.frontend.c_types import (
    ArrayType,
    PointerType,
    RecordType,
    element_of,
    holds_pointers,
)
from loopwright.frontend.derivations import derived_by, sets_pointers

Copy = tuple[Node, Node]
"""A pointer, and the one whose value it gets."""


@record(eq=False)
class Rotation:
    """The pointers that change places, the statements that do it, and the functions of these."""

    members: frozenset[Node]
    statements: tuple[Stmt, ...]
    functions: tuple[Function, ...]

    def together_with(self, other: Rotation) -> Rotation:
        """Both as one: permutations may follow each other."""
        return Rotation(
            self.members | other.members,
            (*self.statements, *other.statements),
            (*self.functions, *other.functions),
        )


def rotations_in(functions: Sequence[Function], region: Span) -> list[Rotation]:
    """The rotations outside of a region of pointers that keep apart; those of the same as one."""
    found: list[Rotation] = []
    for function in functions:
        for each in _of_function(function, region):
            same = [other for other in found if other.members == each.members]
            for other in same:
                each = each.together_with(other)
            found = [*(other for other in found if other not in same), each]
    return [
        each
        for each in found
        if not any(other is not each and other.members & each.members for other in found)
        and not _is_set_again(each, functions)
    ]


def _of_function(function: Function, region: Span) -> Iterator[Rotation]:
    for block in walk_statements(function.body):
        if isinstance(block, Compound) and block.is_scope:
            yield from _rotations_of(list(_flat(block.statements)), function, region)


def _flat(statements: Iterable[Stmt]) -> Iterator[Stmt]:
    """Statements, the parts of ``double *s = a, *t = b;`` one by one."""
    for each in statements:
        yield from declarations_in(each) or (each,)


def _rotations_of(
    statements: Sequence[Stmt], function: Function, region: Span
) -> Iterator[Rotation]:
    """Those among the statements of a block."""
    copies: list[Copy] = []
    copying: list[Stmt] = []
    for each in (*statements, None):
        is_outside = each is not None and not each.span.begins_in(region)
        found = _copies(each) if each is not None and is_outside else []
        if each is not None and found:
            copies += found
            copying.append(each)
            continue
        members = permuted(copies) if _keeps_structs(copies) else frozenset[Node]()
        if members:
            yield Rotation(members, tuple(copying), (function,))
        copies, copying = [], []


# --- copies of pointers -------------------------------------------------------------------------


def _copies(statement: Stmt) -> list[Copy]:
    """What a statement copies that does nothing else: a pointer, or those of a struct."""
    match statement:
        case DeclStmt(variable=variable, value=value) if value is not None:
            target: Expr = Use(variable, variable.type, statement.span)
        case ExprStmt(expression=AssignExpr(operator="=", target=target, value=value)):
            pass
        case _:
            return []
    one, other = _pointers_of(target), _pointers_of(without_casts(value))
    is_alike = len(one) == len(other) and target.type.name == without_casts(value).type.name
    is_single = len(one) == len(other) == 1
    return list(zip(one, other, strict=True)) if is_alike or is_single else []


def _pointers_of(place: Expr) -> list[Node]:
    """A pointer by name, a member of a struct or behind a pointer, or all pointers of a struct.

    Deeper members of other structs may have the same name.
    """
    match place:
        case Use(variable=variable) if _is_kept_elsewhere(variable):
            return []
        case Use(variable=variable, type=PointerType()):
            return [(variable, "")]
        case Use(variable=variable, type=RecordType(fields=fields, is_union=False)):
            found = [each.name for each in fields if isinstance(each.type, PointerType)]
            return [(variable, name) for name in found]
        case MemberOf(base=Use(variable=root), name=name, type=PointerType()):
            return [(root, name)] if not _is_kept_elsewhere(root) else []
        case _:
            return []


def _is_kept_elsewhere(variable: Variable) -> bool:
    """Is its value not that of this call of the function alone, although it is of the function?"""
    return variable.is_pinned or (variable.is_static and not variable.is_global)


def _keeps_structs(copies: Sequence[Copy]) -> bool:
    """Is none of the structs behind pointers exchanged together with members of it?"""
    pointers = {variable for variable, member in (one for one, _ in copies) if member == ""}
    return all(
        member == "" or variable not in pointers for each in copies for variable, member in each
    )


Named = TypeVar("Named", bound=Hashable)


def permuted(copies: Iterable[tuple[Named, Named]]) -> frozenset[Named]:
    """The names that have each other's old values after all of these copies.

    >>> copies = [("s", "a"), ("a", "b"), ("b", "s")]
    >>> sorted(permuted(copies))
    ['a', 'b']
    >>> sorted(permuted([*copies, ("c", "a")]))
    ['a', 'b']
    >>> sorted(permuted(copies[1:]))
    []
    """
    held: dict[Named, Named] = {}
    for target, source in copies:
        held[target] = held.get(source, source)
    members = set(held)
    while True:
        kept = {each for each in members if held[each] in members}
        kept &= {held[each] for each in members}
        if kept == members:
            return frozenset(members)
        members = kept


# --- other values -------------------------------------------------------------------------------


def _is_set_again(rotation: Rotation, functions: Sequence[Function]) -> bool:
    """May one of the pointers get a value of other ones when they have already changed places?

    Those that outlive the function may have done so in another call of it.
    """
    is_lasting = any(
        variable.is_global or (member != "" and isinstance(variable.type, PointerType))
        for variable, member in rotation.members
    )
    for function in functions:
        settings = list(_settings(rotation, function))
        if settings and (is_lasting or not _all_come_first(settings, rotation, function)):
            return True
    return False


def _settings(rotation: Rotation, function: Function) -> Iterator[Stmt]:
    """The statements that make a pointer point into what others do, other than by rotation."""
    turning = {id(each) for each in rotation.statements}
    structs = {variable for variable, member in rotation.members if member != ""}
    for statement in walk_statements(function.body):
        if id(statement) not in turning:
            for each in derived_by(statement):
                if each.pointer in rotation.members or each.pointer[0] in structs:
                    yield statement
            if any(map(partial(_may_set, rotation), _inside(statement))):
                yield statement


def _inside(statement: Stmt) -> Iterator[Expr]:
    for expression in parts_of(statement)[0]:
        yield from walk_expression(expression)


def _may_set(rotation: Rotation, expression: Expr) -> bool:
    """May somebody set one of the pointers who gets its address, or that of its struct?"""
    variables = {variable for variable, _ in rotation.members}
    match expression:
        case UnaryExpr(operator="&", operand=operand) if isinstance(operand.type, PointerType):
            return not variables.isdisjoint(roots(operand))
        case CallExpr(arguments=arguments, callee=callee) if callee.effects == "unknown":
            given = [each for each in map(without_casts, arguments) if _leads_to_pointers(each)]
            is_meant = any(not variables.isdisjoint(roots(each)) for each in given)
            definition = callee.definition() if is_meant else None
            return is_meant and (definition is None or sets_pointers(definition))
        case _:
            return False


def _leads_to_pointers(argument: Expr) -> bool:
    type_ = argument.type
    return isinstance(type_, PointerType | ArrayType) and holds_pointers(element_of(type_))


def _all_come_first(settings: Sequence[Stmt], rotation: Rotation, function: Function) -> bool:
    """Does each of the statements run before any rotation, on all ways through the function?

    In a loop, they may both stand if the pointers are new in each iteration.
    """
    if any(isinstance(each, OpaqueStmt) for each in walk_statements(function.body)):
        return False  # a jump, perhaps
    first = min(each.span.start for each in rotation.statements)
    loops = [
        each
        for each in walk_statements(function.body)
        if isinstance(each, ForStmt | WhileStmt)
        and any(one.span.begins_in(each.span) for one in rotation.statements)
        and not all(variable.span.begins_in(each.span) for variable, _ in rotation.members)
    ]
    return all(
        each.span.start < first and not any(each.span.begins_in(loop.span) for loop in loops)
        for each in settings
    )
