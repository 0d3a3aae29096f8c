"""Two names for the same memory would make every relation a lie: find them and refuse."""

from __future__ import annotations

from collections.abc import Iterator

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
    Variable,
    expressions_in,
    parts_of,
    walk_expression,
    walk_statements,
    without_casts,
)
from loopwright.frontend.c_types import ArrayType, CType, PointerType, RecordType, holds_pointers
from loopwright.frontend.facts import RegionFacts
from loopwright.frontend.regions import Region
from loopwright.frontend.workshop import Workshop


def refuse_aliases(region: Region, workshop: Workshop) -> None:
    """Raise if the region uses two names that may stand for the same memory."""
    used: dict[Node, Span] = {}
    for statement in region.statements:
        for each in expressions_in(statement):
            if isinstance(each, Use):
                used.setdefault((each.variable, ""), each.span)
            if isinstance(each, MemberOf) and isinstance(each.type, PointerType | ArrayType):
                for root in roots(each):
                    used.setdefault((root, each.name), each.span)
    for variable in workshop.facts.used_by_callees:
        used.setdefault((variable, ""), variable.span)
    groups: dict[Node, Node] = {}
    for pointer, base, span in _derivations(region, used):
        groups[_representative(groups, pointer)] = _representative(groups, base)
        _check(groups, used, span, workshop)


def _check(
    groups: dict[Node, Node], used: dict[Node, Span], derived_at: Span, workshop: Workshop
) -> None:
    seen: dict[Node, Node] = {}
    for node, span in used.items():
        group = _representative(groups, node)
        other = seen.setdefault(group, node)
        if other != node:
            raise workshop.reject(
                "LW206",
                f"{_name(node)} and {_name(other)} may name the same memory "
                f"(line {derived_at.line} derives one from the other)",
                span,
                "use one name for one array inside the region",
            )


def _name(node: Node) -> str:
    variable, member = node
    return f"{variable.name}.{member}" if member else variable.name


def _representative(groups: dict[Node, Node], node: Node) -> Node:
    while groups.get(node, node) != node:
        node = groups[node]
    return node


Derivation = tuple[Node, Node, Span]
"""A pointer, what it was made to point into, and where."""


def _derivations(region: Region, used: dict[Node, Span]) -> Iterator[Derivation]:
    """The pointers that are set outside the region."""
    pointers = [each for each, _ in used if each.is_global and _may_point(each.type)]
    for pointer in pointers:
        for member, base in pointer.points_into:
            yield (pointer, member), (base, ""), pointer.span
    for function in region.elsewhere() if pointers else [region.function]:
        for statement in walk_statements(function.body):
            if not region.span.start <= statement.span.start < region.span.end:
                yield from _derived_by(statement)


def _derived_by(statement: Stmt) -> Iterator[Derivation]:
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
                for base in nodes_pointed_into(value):
                    yield (root, member), base, span
            case RecordType():
                if isinstance(bare, ListExpr):
                    for field, base in members_pointed_into(target.type, bare):
                        yield (root, field), (base, ""), span
                for field, base in _copied_members(target.type, bare):
                    yield (root, field), base, span
            case ArrayType():
                for base in nodes_in_list(bare):
                    yield (root, ""), base, span
            case _:
                pass  # a number that is computed from an array does not point into it


def _may_point(type_: CType) -> bool:
    return isinstance(type_, PointerType | RecordType | ArrayType) and holds_pointers(type_)


def _copied_members(record: RecordType, value: Expr) -> Iterator[tuple[str, Node]]:
    """The pointers of a struct that is copied, and those of the other one."""
    for field in record.fields if not isinstance(value, ListExpr) else ():
        if holds_pointers(field.type):
            for source in roots(value):
                yield field.name, (source, field.name)


def nodes_in_list(value: Expr) -> Iterator[Node]:
    """What the addresses in an initialiser list point into."""
    for each in value.values if isinstance(value, ListExpr) else ():
        yield from nodes_pointed_into(each)


def refuse_addressed_scalars(facts: RegionFacts, workshop: Workshop) -> None:
    """A scalar that the region writes must not be reachable under another name."""
    for variable, span in facts.addressed.items():
        if variable not in facts.used:
            continue
        is_written = variable in facts.assigned or variable in facts.loop_variables
        if is_written and not isinstance(variable.type, PointerType | ArrayType):
            raise workshop.reject(
                "LW207",
                f"the address of {variable.name} is taken, and the region writes {variable.name}",
                span,
                "return the value from the function, or use an array of one element",
            )


def refuse_kept_addresses(facts: RegionFacts, workshop: Workshop) -> None:
    """A scalar whose address somebody has must not be what a called function's pointer leads to."""
    targets = {
        each.type.target: each
        for each in facts.used_by_callees
        if isinstance(each.type, PointerType)
    }
    for variable in facts.used & facts.escaped:
        pointer = targets.get(variable.type)
        if pointer is not None and not variable.is_global:
            raise workshop.reject(
                "LW207",
                f"the address of {variable.name} is taken, and {pointer.name}, which a function "
                "uses that the region calls, may hold it",
                variable.span,
                "return the value from the function, or use an array of one element",
            )


def disjointness(region: Region, facts: RegionFacts) -> list[str]:
    """What the model takes for granted about pointers, as sentences."""
    names = _loose_pointers(region)
    reasons: list[str] = []
    if names and facts.calls_unknown:
        behind = ", ".join(names)
        reasons.append(f"unknown functions touch nothing behind {behind} that they are not given")
    names += sorted(
        each.name
        for each in facts.used_by_callees
        if isinstance(each.type, PointerType) and each.name not in names
    )
    members = _pointer_members(region)
    variables = {
        each.variable: None
        for statement in region.statements
        for each in expressions_in(statement)
        if isinstance(each, Use)
    }
    if names or members:
        names += [
            each.name for each in variables if each.name not in names and _is_open(each, facts)
        ]
    names += members
    if len(names) > 1:
        reasons.append(f"the arrays {', '.join(names)} do not overlap")
    for variable in variables:
        if _points_to_pointers(variable.type):
            reasons.append(f"the rows of {variable.name} do not overlap")
    return reasons


def _pointer_members(region: Region) -> list[str]:
    """The pointers that structs hold, as the region calls them."""
    nodes = {
        (root, each.name): None
        for statement in region.statements
        for each in expressions_in(statement)
        if isinstance(each, MemberOf) and isinstance(each.type, PointerType)
        for root in roots(each)
    }
    return [_name(node) for node in nodes]


def _is_open(variable: Variable, facts: RegionFacts) -> bool:
    """May a pointer from elsewhere point to this variable?"""
    is_pointer = isinstance(variable.type, PointerType)
    return (variable.is_global or variable in facts.escaped) and not is_pointer


def _points_to_pointers(type_: CType) -> bool:
    match type_:
        case PointerType(target=PointerType() | ArrayType(element=PointerType())):
            return True
        case ArrayType(element=element):
            return isinstance(element, PointerType) or _points_to_pointers(element)
        case _:
            return False


def _is_loose(variable: Variable) -> bool:
    """May somebody else have a pointer to the same memory, for all that its type says?"""
    match variable.type:
        case ArrayType() as type_:
            return variable.is_parameter and not type_.is_restrict
        case PointerType(is_restrict=is_restrict):
            return not is_restrict
        case _:
            return False


def _loose_pointers(region: Region) -> list[str]:
    """The pointers that nothing but convention keeps apart."""
    names: list[str] = []
    for statement in region.statements:
        for each in expressions_in(statement):
            if isinstance(each, Use) and each.variable.name not in names:
                declared = each.variable.span.begins_in(region.span)
                if not declared and _is_loose(each.variable):
                    names.append(each.variable.name)
    return names
