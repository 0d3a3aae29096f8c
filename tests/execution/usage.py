"""What the code of a region does to which variable: an oracle's census, before it inserts anything.

It decides which references the model may leave out: parameters, iterators, and integers or
pointers that get their one value where they are declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from clang.cindex import Cursor, CursorKind

from .syntax import (
    Source,
    binary_operator,
    body_of,
    children_of,
    end_of,
    for_parts,
    identity,
    is_array,
    is_pointer,
    loop_variable,
    start_of,
    unary_operator,
    unwrapped,
    variable_of,
)


@dataclass(frozen=True, slots=True)
class Extent:
    """A stretch of the source, in bytes."""

    start: int
    end: int

    def holds(self, offset: int) -> bool:
        """Does the stretch contain the place?"""
        return self.start <= offset < self.end


@dataclass(slots=True)
class Usage:
    """The variables of a region and the functions that it calls."""

    extent: Extent
    variables: dict[int, Cursor] = field(default_factory=dict)
    declared: list[Cursor] = field(default_factory=list)
    written: set[int] = field(default_factory=set)
    iterators: set[int] = field(default_factory=set)
    borrowed: set[int] = field(default_factory=set)
    used_later: set[int] = field(default_factory=set)
    written_fields: set[str] = field(default_factory=set)
    callees: dict[str, Cursor] = field(default_factory=dict)

    def is_parameter_like(self, variable: Cursor) -> bool:
        """Is it never changed by the region, but for a loop header or its own declaration?"""
        return identity(variable) not in self.written

    def is_iterator(self, variable: Cursor) -> bool:
        """Do only loop headers change it?"""
        return identity(variable) in self.iterators and self.is_parameter_like(variable)

    def is_scratch(self, variable: Cursor) -> bool:
        """Do only loop headers change it, some of them inside a statement, and is it then done?"""
        number = identity(variable)
        is_done = number not in self.used_later
        return number in self.borrowed and is_done and self.is_parameter_like(variable)

    def is_shadowed_in(self, variable: Cursor, extent: Extent) -> bool:
        """Does another variable take its name somewhere in the stretch?"""
        return any(
            each.spelling == variable.spelling
            and identity(each) != identity(variable)
            and extent.holds(each.location.offset)
            for each in self.declared
        )


def usage_of(
    source: Source, function: Cursor, nodes: Iterable[Cursor], atomic: Iterable[Extent]
) -> Usage:
    """Take the census of a region; loops inside ``atomic`` stretches are no loops of the model."""
    nodes = list(nodes)
    usage = Usage(Extent(start_of(nodes[0]), end_of(nodes[-1])))
    stretches = list(atomic)
    census = _Census(source, usage, stretches)
    for node in nodes:
        census.visit(node)
    usage.used_later = _used_behind(source, function, usage.extent.end)
    pending = list(usage.callees.values())
    done: set[str] = set()
    while pending:
        function = pending.pop()
        if function.spelling not in done:
            done.add(function.spelling)
            census.visit(body_of(function))
            pending += [each for each in usage.callees.values() if each.spelling not in done]
    return usage


def _used_behind(source: Source, node: Cursor, place: int) -> set[int]:
    """The variables that are named behind a place, but for loops that set them first."""
    if end_of(node) <= place:
        return set()
    named = variable_of(node)
    if named is not None:
        return {identity(named)}
    used = {number for child in children_of(node) for number in _used_behind(source, child, place)}
    if node.kind is CursorKind.FOR_STMT and start_of(node) >= place:
        parts = for_parts(source, node)
        variable = loop_variable(source, parts)
        if variable is not None and parts.start is not None:
            used.discard(identity(variable))
    return used


@dataclass(slots=True)
class _Census:
    source: Source
    usage: Usage
    atomic: list[Extent]

    def visit(self, node: Cursor) -> None:
        header_writes = self._loop_header(node) if node.kind is CursorKind.FOR_STMT else set()
        for each in _preorder(node, header_writes):
            self._count(each)
            if each.kind is CursorKind.FOR_STMT and each != node:
                self.visit(each)

    def _loop_header(self, loop: Cursor) -> set[int]:
        """Enter the iterator of a loop of the region; its header's own writes do not count."""
        if not self.usage.extent.holds(start_of(loop)):
            return set()
        parts = for_parts(self.source, loop)
        variable = loop_variable(self.source, parts)
        if variable is None:
            return set()
        is_inside = any(stretch.holds(start_of(loop)) for stretch in self.atomic)
        (self.usage.borrowed if is_inside else self.usage.iterators).add(identity(variable))
        return {start_of(each) for each in (parts.start, parts.step) if each is not None}

    def _count(self, node: Cursor) -> None:
        match node.kind:
            case CursorKind.DECL_REF_EXPR:
                named = variable_of(node)
                if named is not None:
                    self.usage.variables[identity(named)] = named
            case CursorKind.VAR_DECL:
                self.usage.declared.append(node)
                self.usage.variables[identity(node)] = node
            case CursorKind.CALL_EXPR:
                function = self.source.functions.get(node.spelling)
                if function is not None:
                    self.usage.callees[node.spelling] = function
            case CursorKind.BINARY_OPERATOR if binary_operator(self.source, node) == "=":
                self._write(children_of(node)[0])
            case CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
                self._write(children_of(node)[0])
            case CursorKind.UNARY_OPERATOR if unary_operator(self.source, node) in _CHANGES:
                self._write(children_of(node)[0])
            case _:
                pass

    def _write(self, target: Cursor) -> None:
        target = unwrapped(target)
        if target.kind is CursorKind.MEMBER_REF_EXPR:
            self.usage.written_fields.add(target.spelling)
        variable, through_pointer = root_of(target)
        if variable is not None and not through_pointer:
            self.usage.written.add(identity(variable))


_CHANGES = {"++", "--", "&"}


def _preorder(node: Cursor, left_out: set[int]) -> Iterator[Cursor]:
    """The node and what is below it, but for inner loops' insides and the places left out."""
    yield node
    for child in children_of(node):
        if start_of(child) in left_out:
            yield from (each for each in child.walk_preorder() if _is_name(each))
        elif child.kind is CursorKind.FOR_STMT:
            yield child
        else:
            yield from _preorder(child, left_out)


def _is_name(node: Cursor) -> bool:
    return node.kind in (CursorKind.DECL_REF_EXPR, CursorKind.VAR_DECL)


def root_of(lvalue: Cursor) -> tuple[Cursor | None, bool]:
    """The variable at the root of a reference, and whether a pointer lies in between."""
    through_pointer = False
    node = unwrapped(lvalue)
    while node.kind is not CursorKind.DECL_REF_EXPR:
        children = children_of(node)
        if not children or node.kind is CursorKind.CALL_EXPR:
            return None, True
        base = unwrapped(_base_among(children))
        through_pointer |= not is_array(base.type) and node.kind in _DEREFERENCES
        if node.kind is CursorKind.MEMBER_REF_EXPR:
            through_pointer |= is_pointer(base.type)
        node = base
    named = variable_of(node)
    if named is None:
        return None, True
    is_adjusted = named.kind is CursorKind.PARM_DECL and is_array(node.type)
    return named, through_pointer or (is_adjusted and lvalue != node)


_DEREFERENCES = {CursorKind.ARRAY_SUBSCRIPT_EXPR, CursorKind.UNARY_OPERATOR}


def _base_among(children: list[Cursor]) -> Cursor:
    """The operand that is an address: ``2[a]`` is C as well."""
    for child in children:
        inner = unwrapped(child)
        if is_array(inner.type) or is_pointer(inner.type):
            return child
    return children[0]
