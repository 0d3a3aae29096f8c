"""Which piece of C is which statement of the model: found by the spans, judged by libclang."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clang.cindex import Cursor, CursorKind

from loopwright.model.scop import Array, Scop, Statement

from .syntax import (
    Source,
    body_of,
    children_of,
    end_of,
    start_of,
    statement_end,
    without_label,
)


@dataclass(frozen=True, slots=True)
class Region:
    """The statements of the source that a scop describes; ``is_bare`` where no brace holds them."""

    nodes: tuple[Cursor, ...]
    is_bare: bool


def region_of(source: Source, scop: Scop) -> Region:
    """Descend to the statements that lie inside the span of the scop."""
    node = body_of(source.functions[scop.function])
    while True:
        inside = [each for each in children_of(node) if _overlaps(each, scop)]
        if len(inside) == 1 and not _lies_within(source, inside[0], scop):
            node = inside[0]
            continue
        assert inside, f"no statement lies in the region at {scop.span}"
        return Region(tuple(inside), node.kind is not CursorKind.COMPOUND_STMT)


def _overlaps(node: Cursor, scop: Scop) -> bool:
    return start_of(node) < scop.span.end and end_of(node) > scop.span.start


def _lies_within(source: Source, node: Cursor, scop: Scop) -> bool:
    starts = start_of(node) >= scop.span.start or start_of(without_label(node)) >= scop.span.start
    return starts and _ends_alike(source, end_of(node), min(scop.span.end, end_of(node)))


def _ends_alike(source: Source, one: int, other: int) -> bool:
    """Do two places differ by nothing but space and a semicolon?"""
    return not source.slice(min(one, other), max(one, other)).strip("; \t\r\n")


@dataclass(frozen=True, slots=True)
class Match:
    """A statement of the model, and the last of the siblings that it covers."""

    number: int
    last: int


@dataclass(frozen=True, slots=True)
class Matcher:
    """Finds the model's statements, numbered as in the scop; kills execute nothing."""

    source: Source
    statements: tuple[tuple[int, Statement], ...]

    @classmethod
    def of(cls, source: Source, scop: Scop) -> Matcher:
        """All that execute something."""
        numbered = enumerate(scop.statements)
        return cls(source, tuple((n, each) for n, each in numbered if not each.is_kill))

    def starting_at(self, siblings: Sequence[Cursor], position: int) -> Match | None:
        """The statement that covers this sibling, alone or with some of those that follow."""
        first = siblings[position]
        starts = {start_of(first), start_of(without_label(first))}
        for number, statement in self.statements:
            if statement.span.start not in starts:
                continue
            for last in range(position, len(siblings)):
                end = statement_end(self.source, siblings[last])
                if _ends_alike(self.source, end, statement.span.end):
                    return Match(number, last)
        return None

    def within(self, node: Cursor) -> list[int]:
        """The statements that lie inside a declaration or an expression, in source order."""
        end = statement_end(self.source, node)
        found = [
            (statement.span.end, number)
            for number, statement in self.statements
            if start_of(node) <= statement.span.start and statement.span.end <= end
        ]
        return [number for _, number in sorted(found)]

    def equal_to(self, node: Cursor) -> int | None:
        """The statement with exactly this extent."""
        for number, statement in self.statements:
            if statement.span.start == start_of(node) and _ends_alike(
                self.source, statement.span.end, end_of(node)
            ):
                return number
        return None


def describes(array: Array, variable: Cursor) -> bool:
    """Is this the variable that the model's array stands for?"""
    if array.variable != variable.spelling:
        return False
    candidates = (variable, variable.canonical)
    return any(
        start_of(each) <= array.span.end and array.span.start <= end_of(each) for each in candidates
    )
