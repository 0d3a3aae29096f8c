"""Finding regions without pragmas: every maximal run of statements that can be modelled.

A run holds at least one affine loop.  A declaration whose variable is used after the run ends it;
so do calls of unknown functions (there is nothing to gain around a ``printf``) and loops that
depend on data, inside which the search goes on.
"""

from __future__ import annotations

from collections.abc import Callable

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity
from loopwright.frontend.arrays import OUTSIDE_WORLD
from loopwright.frontend.c_reader import CReader
from loopwright.frontend.c_tree import (
    Compound,
    EmptyStmt,
    ExprStmt,
    ForStmt,
    Function,
    IfStmt,
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


def detected_scops(
    reader: CReader, pragmas: Pragmas, function: str | None, build: Build
) -> tuple[list[Scop], list[Diagnostic]]:
    """The models of all maximal regions, and why other loops were left out."""
    require_function(reader, function)
    scops: list[Scop] = []
    left_out: list[Diagnostic] = []
    for name, _, read in reader.defined_functions():
        if function in (None, name):
            try:
                found = read()
            except InputError as error:
                left_out += error.diagnostics
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
        self.left_out: list[Diagnostic] = []

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
            self._leave_out(statement, Diagnostic("LW119", DEPENDS_ON_DATA, statement.span))
            return False
        try:
            scop = self.build(self._region([statement], loops))
        except InputError as error:
            self._leave_out(statement, error.diagnostics[0])
            return False
        reason = _objection(scop)
        if reason is not None:
            self._leave_out(statement, Diagnostic("LW119", reason, statement.span))
        return reason is None

    def _leave_out(self, statement: Stmt, why: Diagnostic) -> None:
        if any(isinstance(each, ForStmt | WhileStmt) for each in walk_statements(statement)):
            note = Diagnostic(why.code, why.message, why.span, why.hint, Severity.NOTE)
            if note not in self.left_out:
                self.left_out.append(note)

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
            self._leave_out(statements[0], error.diagnostics[0])

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


def _has_loop(statement: Stmt) -> bool:
    return any(isinstance(each, ForStmt) for each in walk_statements(statement))


def _objection(scop: Scop) -> str | None:
    """Why a statement is better left to the search inside it."""
    if any(array.variable == OUTSIDE_WORLD for array in scop.arrays):
        return "it calls a function that nothing is known about"
    for statement in scop.statements:
        if statement.is_dynamic and not statement.iterators:
            return DEPENDS_ON_DATA
    return None
