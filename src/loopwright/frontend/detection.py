"""Finding regions without pragmas: every maximal run of statements that can be modelled.

A run holds at least one affine loop.  A declaration whose variable is used after the run ends it;
so do calls of unknown functions (there is nothing to gain around a ``printf``) and loops that
depend on data, inside which the search goes on.
"""

from __future__ import annotations

from collections.abc import Callable

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.arrays import OUTSIDE_WORLD
from loopwright.frontend.c_reader import CReader
from loopwright.frontend.c_tree import (
    Compound,
    EmptyStmt,
    ExprStmt,
    ForStmt,
    Function,
    IfStmt,
    OpaqueStmt,
    Stmt,
    WhileStmt,
    declarations_in,
    parts_of,
    walk_statements,
)
from loopwright.frontend.liveness import used_after
from loopwright.frontend.regions import (
    Pragmas,
    Region,
    all_functions,
    require_function,
)
from loopwright.model.scop import Scop

Build = Callable[[Region], Scop]
DEPENDS_ON_DATA = "its control depends on data"
CALLS = "it calls"
PURE = "give it a body here, or declare it with __attribute__((const)) if it only computes"


@record
class Unread:
    """Loops that have no model: where, how deep, and why."""

    function: str
    span: Span
    depth: int
    """How many loops there are inside of each other, and around."""
    why: Diagnostic


def detected_scops(
    reader: CReader, pragmas: Pragmas, function: str | None, build: Build
) -> tuple[list[Scop], list[Unread]]:
    """The models of all maximal regions, and why other loops were left out."""
    require_function(reader, function)
    scops: list[Scop] = []
    left_out: list[Unread] = []
    for name, span, read in reader.defined_functions():
        if function in (None, name):
            try:
                found = read()
            except InputError as error:
                left_out += [Unread(name, span, 0, _as_note(each)) for each in error.diagnostics]
                continue
            search = _Search(found, pragmas, build, all_functions(reader))
            body = search.function.body
            search.block(body.statements, (), body.span.start)
            scops += search.scops
            left_out += search.left_out
    return scops, left_out


class _Search:
    def __init__(
        self,
        function: Function,
        pragmas: Pragmas,
        build: Build,
        elsewhere: Callable[[], list[Function]],
    ) -> None:
        self.elsewhere = elsewhere
        self.function = function
        self.pragmas = pragmas
        self.build = build
        self.scops: list[Scop] = []
        self.left_out: list[Unread] = []

    def block(self, statements: tuple[Stmt, ...], loops: tuple[Stmt, ...], start: int) -> None:
        """Search the statements of a block that begins at a place, inside these loops."""
        collected: list[Stmt] = []
        for statement in statements:
            is_acceptable = self._is_acceptable(statement, loops)
            is_apart = self._has_pragma(start, statement.span.end)
            start = statement.span.end
            if is_acceptable and not is_apart and self._go_together([*collected, statement], loops):
                collected.append(statement)
                continue
            self._finish(collected, loops)
            collected = [statement] if is_acceptable else []
            if not is_acceptable:
                self._search_inside(statement, loops)
            if is_apart:
                self._finish(collected, loops)
                collected = []
        self._finish(collected, loops)

    def _has_pragma(self, start: int, end: int) -> bool:
        """Does somebody else's pragma stand there, for a statement that ends it?"""
        return any(start <= each.start < end for each in self.pragmas.foreign)

    def _go_together(self, statements: list[Stmt], loops: tuple[Stmt, ...]) -> bool:
        """Is each still modelled as well as alone?  ``n--`` between two loops spoils both."""
        if len(statements) == 1 or not any(map(_has_loop, statements)):
            return True
        try:
            return _objection(self.build(self._region(statements, loops))) is None
        except InputError:
            return False

    def _search_inside(self, statement: Stmt, loops: tuple[Stmt, ...]) -> None:
        if isinstance(statement, ForStmt | WhileStmt):
            loops = (*loops, statement)
        for inner in parts_of(statement)[1]:
            nested = inner.statements if isinstance(inner, Compound) else (inner,)
            self.block(nested, loops, inner.span.start)

    def _is_acceptable(self, statement: Stmt, loops: tuple[Stmt, ...]) -> bool:
        if isinstance(statement, EmptyStmt) or declarations_in(statement):
            return True
        if not isinstance(statement, ExprStmt | ForStmt | IfStmt | Compound):
            why = Diagnostic("LW119", _data_text(statement), statement.span)
            self._leave_out(statement, why, loops)
            return False
        try:
            scop = self.build(self._region([statement], loops))
        except InputError as error:
            self._leave_out(statement, error.diagnostics[0], loops)
            return False
        reason = _objection(scop)
        if reason is not None:
            why = Diagnostic("LW119", reason, statement.span, _help(reason))
            self._leave_out(statement, why, loops)
        return reason is None

    def _leave_out(self, statement: Stmt, why: Diagnostic, loops: tuple[Stmt, ...]) -> None:
        depth = _depth(statement)
        note = _as_note(why)
        if depth and all(each.why != note for each in self.left_out):
            found = Unread(self.function.name, statement.span, len(loops) + depth, note)
            self.left_out.append(found)

    def _finish(self, statements: list[Stmt], loops: tuple[Stmt, ...]) -> None:
        """Model a run, from its first statement that executes to its last loop."""
        while statements and not _has_loop(statements[-1]):
            statements = statements[:-1]
        while statements and (
            isinstance(statements[0], EmptyStmt) or declarations_in(statements[0])
        ):
            statements = statements[1:]
        if not statements:
            return
        region = self._region(statements, loops)
        outliving = self._outliving_declaration(region)
        if outliving is not None:
            self._finish(statements[:outliving], loops)
            self._finish(statements[outliving + 1 :], loops)
            return
        try:
            self.scops.append(self.build(region))
        except InputError as error:
            self._leave_out(statements[0], error.diagnostics[0], loops)

    def _outliving_declaration(self, region: Region) -> int | None:
        """The position of a declaration whose variable is used after the run."""
        later = used_after(self.function, region.span, region.enclosing_loops, by_region=False)
        for position, statement in enumerate(region.statements):
            declared = [each.variable for each in declarations_in(statement)]
            if any(variable in later for variable in declared):
                return position
        return None

    def _region(self, statements: list[Stmt], loops: tuple[Stmt, ...]) -> Region:
        span = statements[0].span.joined_with(statements[-1].span)
        return Region(
            self.function, tuple(statements), span, loops, self.pragmas.independent, self.elsewhere
        )


def _as_note(why: Diagnostic) -> Diagnostic:
    """Nobody has marked what is left out; a mistake of ours remains a warning."""
    if why.severity is Severity.WARNING:
        return why
    return Diagnostic(why.code, why.message, why.span, why.hint, Severity.NOTE)


def _depth(statement: Stmt) -> int:
    """How many loops it has inside of each other."""
    inner = max(map(_depth, parts_of(statement)[1]), default=0)
    return inner + isinstance(statement, ForStmt | WhileStmt)


def _has_loop(statement: Stmt) -> bool:
    return any(isinstance(each, ForStmt) for each in walk_statements(statement))


def _data_text(statement: Stmt) -> str:
    """What keeps a statement from being read that is no loop over numbers."""
    if isinstance(statement, WhileStmt):
        kind = "do" if statement.is_tested_last else "while"
        return f"{DEPENDS_ON_DATA}: it is a {kind} loop"
    if isinstance(statement, OpaqueStmt):
        return f"{DEPENDS_ON_DATA}: there is a {statement.what}"
    return DEPENDS_ON_DATA


def _help(reason: str) -> str:
    return PURE if reason.startswith(CALLS) else ""


def _objection(scop: Scop) -> str | None:
    """Why a statement is better left to the search inside it."""
    for statement in scop.statements:
        for access in statement.accesses:
            if scop.array(access.array).variable == OUTSIDE_WORLD:
                called = access.text.partition("(")[0].strip()
                named = called if called.isidentifier() else "a function"
                return f"{CALLS} {named} on line {access.span.line}, of which nothing is known"
    for statement in scop.statements:
        if statement.is_dynamic and not statement.iterators:
            return DEPENDS_ON_DATA
    return None
