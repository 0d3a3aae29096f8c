"""Which statements of which function make a region."""

from __future__ import annotations

from collections.abc import Callable

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


@record
class Pragmas:
    """The pragmas of a file that concern us."""

    scops: tuple[tuple[Span, Span], ...]
    independent: tuple[IndependentPragma, ...]


def pragmas_of(reader: CReader) -> Pragmas:
    """Find ``#pragma scop``/``endscop`` and ``#pragma pencil``; unmatched ones are errors."""
    scops: list[tuple[Span, Span]] = []
    independent: list[IndependentPragma] = []
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
                pass
    if opened is not None:
        raise InputError(_unclosed(opened))
    return Pragmas(tuple(scops), tuple(independent))


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
    functions = reader.defined_functions()
    require_function(reader, function)
    regions: list[Region] = []
    for opened, closed in pragmas.scops:
        owners = [
            (name, read)
            for name, span, read in functions
            if span.start <= opened.start and closed.end <= span.end
        ]
        if not owners:
            raise InputError(_not_whole(opened, "it is not inside one function"))
        name, read = owners[0]
        if function in (None, name):
            regions.append(_region_between(reader, read(), (opened, closed), pragmas.independent))
    return regions


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
) -> Region:
    opened, closed = borders
    block, loops = _innermost_block(function.body, opened, closed)
    inside: list[Stmt] = []
    for statement in block.statements:
        begins_inside = opened.end <= statement.span.start < closed.start
        ends_inside = opened.end < statement.span.end <= closed.start
        if begins_inside and ends_inside:
            inside.append(statement)
        elif begins_inside or ends_inside:
            raise InputError(_not_whole(opened, "a statement crosses its border"))
    if not inside:
        for each in walk_statements(function.body):
            if isinstance(each, OpaqueStmt) and each.span.start < opened.start < each.span.end:
                raise InputError(_not_whole(opened, f"it stands inside a {each.what}"))
        raise InputError(
            Diagnostic("LW116", "there is no statement in the region", opened, "remove the pragmas")
        )
    span = inside[0].span.joined_with(inside[-1].span)
    return Region(function, tuple(inside), span, loops, independent, all_functions(reader))


def _innermost_block(
    body: Compound, opened: Span, closed: Span
) -> tuple[Compound, tuple[Stmt, ...]]:
    block, loops = body, list[Stmt]()
    pending: list[Stmt] = list(body.statements)
    while pending:
        statement = pending.pop()
        if statement.span.start <= opened.start and closed.end <= statement.span.end:
            pending = list(parts_of(statement)[1])
            if isinstance(statement, Compound) and statement.is_scope:
                block = statement
            if isinstance(statement, ForStmt | WhileStmt):
                loops.append(statement)
    return block, tuple(loops)
