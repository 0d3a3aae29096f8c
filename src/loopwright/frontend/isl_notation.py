"""Sets and relations written by people, in isl's notation: read, or refused with the place."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Generic, TypeVar

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.polyhedra.limits import OutOfOperations, limited

Read = TypeVar("Read")

MOST_OPERATIONS = 5_000_000
DEEPEST_BRACKETS = 500
"""isl reads recursively; a hundred thousand brackets would overflow its stack."""
MOST_DISJUNCTIONS = 2_000
LONGEST_TUPLE = 250
"""isl's work on longer ones is not counted in its operations, and takes seconds."""


@record
class Written:
    """A stretch of a file that is meant to be a set or a relation.

    ``is_verbatim`` unless the file spells it with escapes or line breaks of its own: then only its
    start is a place to point at.
    """

    text: str
    span: Span
    is_verbatim: bool = True

    def at(self, line: int, column: int) -> Span:
        """The place of a line and column of the text, both counted from one."""
        span = self.span
        if not self.is_verbatim:
            return span
        column = span.column + column - 1 if line == 1 else column
        line = span.line + line - 1
        return Span(span.file, span.start, span.end, line, column, line, column + 1)


@record
class Notion(Generic[Read]):
    """What a text may stand for: how it is read, what it is called, and an example."""

    reader: Callable[[str], Read]
    noun: str
    example: str


INSTANCES = Notion(isl.UnionSet, "a set of instances", "{ S[i] : 0 <= i < 10 }")
SCHEDULE_MAP = Notion(isl.UnionMap, "a relation from instances to times", "{ S[i] -> [i, 0] }")
CONDITION = Notion(isl.Set, "a condition", "[n] -> { : n >= 4 }")


def read_isl(written: Written, notion: Notion[Read]) -> Read:
    """What the text stands for, or a diagnostic that points into it."""
    check_size(written)
    first, *others = split(written, 2)
    if others:
        message = f"{notion.noun} is expected here, and this comes after it"
        raise InputError(_problem(message, others[0].span, notion))
    try:
        with limited(MOST_OPERATIONS):
            return notion.reader(first.text)
    except OutOfOperations:
        hint = "simplify it: write it with fewer pieces"
        problem = Diagnostic("LW108", "reading this takes too long", written.span, hint)
        raise InputError(problem) from None
    except isl.Error:
        raise InputError(_explained(first, notion)) from None


def split(written: Written, most: int) -> list[Written]:
    """The first sets and relations in a text; at least one, if only an empty one."""
    return list(islice(_parts(written), most)) or [written]


def _parts(written: Written) -> Iterator[Written]:
    """Each ends where its brackets are closed, unless an arrow follows: ``[n] -> { … }``."""
    start: int | None = None
    depth = 0
    text = written.text
    for position, character in enumerate(text):
        if start is None and not character.isspace():
            start = position
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth = max(0, depth - 1)
            if depth == 0 and start is not None and not _ARROW.match(text, position + 1):
                yield _part(written, start, position + 1)
                start = None
    if start is not None:
        yield _part(written, start, len(text.rstrip()))


_ARROW = re.compile(r"\s*->")


def _part(written: Written, start: int, end: int) -> Written:
    """A stretch of a text, with its own place."""
    whole = written.text
    first, last = (_line_and_column(whole, position) for position in (start, end))
    if not written.is_verbatim:
        return Written(whole[start:end], written.span, is_verbatim=False)
    begin, finish = written.at(*first), written.at(*last)
    offset = written.span.start
    span = Span(
        written.span.file,
        offset + len(whole[:start].encode()),
        offset + len(whole[:end].encode()),
        begin.line,
        begin.column,
        finish.line,
        finish.column,
    )
    return Written(whole[start:end], span)


def _line_and_column(text: str, position: int) -> tuple[int, int]:
    """Counted from one; columns count bytes."""
    before = text[:position]
    line_start = before.rfind("\n") + 1
    return before.count("\n") + 1, len(before[line_start:].encode()) + 1


# --- what is too large ----------------------------------------------------------------------------


def check_size(written: Written) -> None:
    """Refuse what isl would take too long to read, or too much stack."""
    depth = 0
    longest = [0]
    for character in written.text:
        if character in "([{":
            depth += 1
            longest.append(0)
            if depth > DEEPEST_BRACKETS:
                message = f"brackets are nested more than {DEEPEST_BRACKETS} deep"
                raise InputError(Diagnostic("LW105", message, written.span))
        elif character in ")]}":
            depth -= 1
            longest = longest[:-1] or [0]
        elif character == ",":
            longest[-1] += 1
            if longest[-1] >= LONGEST_TUPLE:
                message = f"a list of more than {LONGEST_TUPLE} things"
                raise InputError(Diagnostic("LW108", message, written.span))
    if len(re.findall(r"\bor\b", written.text)) > MOST_DISJUNCTIONS:
        message = f"a condition with more than {MOST_DISJUNCTIONS} alternatives"
        raise InputError(Diagnostic("LW108", message, written.span))


# --- what isl says about an error -----------------------------------------------------------------


def _explained(written: Written, notion: Notion[Read]) -> Diagnostic:
    """isl names the place and the unexpected word only in what it prints."""
    if not written.text.strip():
        return _problem(f"{notion.noun} is expected here", written.span, notion)
    words = _printed_by_isl(lambda: notion.reader(written.text))
    told = re.search(r"^syntax error \((\d+), (\d+)\): (.*)\n(?:got (.*)\n)?", words, re.MULTILINE)
    if told is None:
        return _problem(f"{notion.noun} is expected here", written.span, notion)
    line, column, complaint, got = told.groups()
    found = re.search(r"'(.*)'", got or "")
    what = _complaint(complaint, found[1] if found else "")
    return _problem(what, written.at(int(line), int(column)), notion)


def _complaint(complaint: str, found: str) -> str:
    if "unknown identifier" in complaint:
        return f"nothing is called {found} here"
    if "EOF" in complaint or not found:
        return "this ends too early"
    return f"{found} is not expected here"


def _problem(message: str, span: Span, notion: Notion[Read]) -> Diagnostic:
    return Diagnostic("LW506", message, span, f"{notion.noun} looks like {notion.example}")


def _printed_by_isl(attempt: Callable[[], object]) -> str:
    """What isl prints to standard error about a failure, which it does past Python."""
    context = isl.DEFAULT_CONTEXT
    quiet = context.get_on_error()
    with tempfile.TemporaryFile() as stream:
        try:
            with _standard_error_in(stream.fileno()), limited(MOST_OPERATIONS):
                context.set_on_error(isl.on_error.WARN)
                with suppress(isl.Error):
                    attempt()
        except (OSError, OutOfOperations):  # no standard error to take over, or no time
            return ""
        finally:
            context.set_on_error(quiet)
        stream.seek(0)
        return stream.read().decode(errors="replace")


@contextmanager
def _standard_error_in(descriptor: int) -> Generator[None]:
    kept = os.dup(2)
    try:
        os.dup2(descriptor, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
