"""Which statements of which function make a region."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import Span, whole_file
from loopwright.frontend.c_reader import CReader
from loopwright.frontend.c_tree import (
    Compound,
    ForStmt,
    Function,
    OpaqueStmt,
    Stmt,
    WhileStmt,
    parts_of,
    walk_statements,
)
from loopwright.frontend.pragmas import pragma_lines


@record(eq=False)
class IndependentPragma:
    """``#pragma pencil independent (a, b)``: where it stands, and the arrays that it names."""

    span: Span
    arrays: tuple[str, ...]


@record(eq=False)
class Region:
    """Consecutive statements of one block of a function, and what surrounds them."""

    function: Function
    statements: tuple[Stmt, ...]
    span: Span
    enclosing_loops: tuple[Stmt, ...]
    independent: tuple[IndependentPragma, ...]
    elsewhere: Callable[[], list[Function]]
    """The functions of the file; reading them takes time, so it is done when they matter."""
    number: int = 0
    """Which one it is of those that the pragmas of the file mark."""


@record(eq=False)
class Marked:
    """A region that pragmas mark: which one, where, in which function, and how to read it."""

    number: int
    opened: Span
    function: str
    read: Callable[[], Region]


@record
class Pragmas:
    """The pragmas of a file that concern us."""

    scops: tuple[tuple[Span, Span], ...]
    independent: tuple[IndependentPragma, ...]
    foreign: tuple[Span, ...] = ()
    """Where others are, which may mean something for what follows them."""


def pragmas_of(reader: CReader) -> Pragmas:
    """Find ``#pragma scop``/``endscop`` and ``#pragma pencil``; unmatched ones are errors."""
    scops: list[tuple[Span, Span]] = []
    independent: list[IndependentPragma] = []
    foreign: list[Span] = []
    opened: Span | None = None
    for words, span in pragma_lines(reader.parsed):
        match words:
            case ["scop", *_]:
                if opened is not None:
                    raise InputError(_nested(span, opened))
                opened = span
            case ["endscop", *_]:
                if opened is None:
                    raise InputError(_unopened(span))
                scops.append((opened, span))
                opened = None
            case ["pencil", "independent", *rest]:
                names = tuple(word for word in rest if word.isidentifier())
                independent.append(IndependentPragma(span, names))
            case _:
                foreign.append(span)
    if opened is not None:
        raise InputError(_unclosed(opened))
    return Pragmas(tuple(scops), tuple(independent), tuple(foreign))


def _nested(span: Span, opened: Span) -> Diagnostic:
    message = f"#pragma scop inside the region that line {opened.line} opened"
    return Diagnostic("LW112", message, span, "close the first region with #pragma endscop")


def _unopened(span: Span) -> Diagnostic:
    message = "#pragma endscop without #pragma scop"
    return Diagnostic("LW111", message, span, "open the region with #pragma scop")


def _unclosed(span: Span) -> Diagnostic:
    message = "#pragma scop without #pragma endscop"
    return Diagnostic("LW110", message, span, "close the region with #pragma endscop")


def marked_regions(reader: CReader, pragmas: Pragmas, function: str | None) -> list[Region]:
    """The regions between the pragmas, of one function or of all."""
    return [each.read() for each in marks_of(reader, pragmas, function)]


def marks_of(reader: CReader, pragmas: Pragmas, function: str | None) -> list[Marked]:
    """The same, each of which is read when somebody asks for it."""
    require_function(reader, function)
    found = [_marked(reader, pragmas, number) for number in range(len(pragmas.scops))]
    return [each for each in found if each.function in ("", function) or function is None]


def _marked(reader: CReader, pragmas: Pragmas, number: int) -> Marked:
    opened, closed = pragmas.scops[number]
    owners = (
        (name, read)
        for name, span, read in reader.defined_functions()
        if span.start <= opened.start and closed.end <= span.end
    )
    owner = next(owners, None)
    if owner is None:
        why = _not_whole(opened, "it is not inside one function")
        return Marked(number, opened, "", partial(_refuse, why))
    name, read = owner

    def region() -> Region:
        found = _region_between(reader, read(), (opened, closed), pragmas.independent)
        return replace(found, number=number)

    return Marked(number, opened, name, region)


def _refuse(why: Diagnostic) -> Region:
    raise InputError(why)


def region_in(reader: CReader, pragmas: Pragmas, stretch: tuple[int, int]) -> Region:
    """The region that the statements in a stretch of the text are."""
    borders = tuple(reader.parsed.main.span(each, each) for each in stretch)
    for _, span, read in reader.defined_functions():
        if span.start <= stretch[0] and stretch[1] <= span.end:
            whole = borders[0], borders[1]
            return _region_between(reader, read(), whole, pragmas.independent, may_be_body=True)
    raise InputError(_not_whole(borders[0], "it is not inside one function"))


def require_function(reader: CReader, function: str | None) -> None:
    """Raise if the user asks for a function that is not there."""
    names = [name for name, _, _ in reader.defined_functions()]
    if function is not None and function not in names:
        known = ", ".join(names) if names else "none"
        raise InputError(
            Diagnostic(
                "LW115",
                f"there is no function {function} with a body in this file",
                whole_file(reader.parsed.main.name),
                f"functions in this file: {known}",
            )
        )


def all_functions(reader: CReader) -> Callable[[], list[Function]]:
    """How to read every function of the file."""
    return lambda: [read() for _, _, read in reader.defined_functions()]


def _not_whole(span: Span, why: str) -> Diagnostic:
    return Diagnostic(
        "LW113",
        f"the region is not a sequence of whole statements of one block: {why}",
        span,
        "put #pragma scop and #pragma endscop between statements of the same block",
    )


def _region_between(
    reader: CReader,
    function: Function,
    borders: tuple[Span, Span],
    independent: tuple[IndependentPragma, ...],
    *,
    may_be_body: bool = False,
) -> Region:
    """The statements between two places of a block.

    If it ``may_be_body``, that may be the one statement that is the body of a loop or a condition.
    """
    opened, closed = borders
    found = _Place(function.body.statements, ())
    while (inner := found.around(opened, closed, may_be_body=may_be_body)) is not None:
        found = inner
    inside = found.between(opened, closed)
    if not inside:
        for each in walk_statements(function.body):
            if isinstance(each, OpaqueStmt) and each.span.start < opened.start < each.span.end:
                raise InputError(_not_whole(opened, f"it stands inside a {each.what}"))
        raise InputError(
            Diagnostic("LW116", "there is no statement in the region", opened, "remove the pragmas")
        )
    span = inside[0].span.joined_with(inside[-1].span)
    elsewhere = all_functions(reader)
    return Region(function, tuple(inside), span, found.loops, independent, elsewhere)


@record(eq=False)
class _Place:
    """The statements of a block, or the one that is the body of another, and the loops around."""

    statements: tuple[Stmt, ...]
    loops: tuple[Stmt, ...]

    def between(self, opened: Span, closed: Span) -> list[Stmt]:
        """Those that stand between two places."""
        inside: list[Stmt] = []
        for statement in self.statements:
            begins_inside = opened.end <= statement.span.start < closed.start
            ends_inside = opened.end < statement.span.end <= closed.start
            if begins_inside and ends_inside:
                inside.append(statement)
            elif begins_inside or ends_inside:
                raise InputError(_not_whole(opened, "a statement crosses its border"))
        return inside

    def around(self, opened: Span, closed: Span, *, may_be_body: bool) -> _Place | None:
        """The place further inside that is the only one which two places have to do with."""
        touched = [
            each
            for each in self.statements
            if each.span.start < closed.start and opened.end < each.span.end
        ]
        if len(touched) != 1:
            return None
        (only,) = touched
        is_around = only.span.start <= opened.start and closed.end <= only.span.end
        is_body = may_be_body and only.span.start < opened.start and not isinstance(only, Compound)
        if not is_around and not is_body:
            return None
        loops = (*self.loops, only) if isinstance(only, ForStmt | WhileStmt) else self.loops
        if isinstance(only, Compound):
            return _Place(only.statements, loops)
        parts = [
            each
            for each in parts_of(only)[1]
            if each.span.start < closed.start and opened.end < each.span.end
        ]
        is_block = len(parts) == 1 and isinstance(parts[0], Compound) and parts[0].is_scope
        if len(parts) != 1 or not (is_block or may_be_body or _holds(parts[0], opened, closed)):
            return None
        return _Place((parts[0],), loops)


def _holds(statement: Stmt, opened: Span, closed: Span) -> bool:
    return statement.span.start <= opened.start and closed.end <= statement.span.end
