"""The front end as one function: C in, polyhedral models out."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity
from loopwright.basics.failures import LEFT, failure_of, left_by_failure
from loopwright.basics.records import record
from loopwright.basics.recursion import deep_recursion
from loopwright.basics.spans import Span, whole_file
from loopwright.frontend.c_reader import CReader
from loopwright.frontend.clang_library import ParsedFile, ReadOptions, too_deep
from loopwright.frontend.detection import Unread, detected_scops
from loopwright.frontend.inputs import file_content, parsed_context
from loopwright.frontend.liveness import used_by_regions_alone
from loopwright.frontend.preprocessing import Unit
from loopwright.frontend.regions import (
    Marked,
    Pragmas,
    Region,
    marked_regions,
    marks_of,
    pragmas_of,
    region_in,
)
from loopwright.frontend.scop_builder import region_facts, scop_from_region
from loopwright.frontend.workshop import Workshop
from loopwright.model.scop import Assumption, Scop
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.values import names_in

MOST_OPERATIONS = 2_000_000


@record(eq=False)
class Question:
    """What the user wants to know of a file."""

    function: str | None = None
    context: isl.Set | None = None
    assume_non_negative: bool = False
    autodetect: bool = False


@record(eq=False)
class Reading:
    """The models of a file, and why parts of it were not taken."""

    scops: tuple[Scop, ...]
    unread: tuple[Unread, ...] = ()
    """What has no model, and why."""
    remark: Diagnostic | None = None
    """That there is nothing to read, if so."""
    headers: tuple[str, ...] = ()
    """The files that it includes, directly or not."""
    reserved: tuple[tuple[str, ...], ...] = ()
    """For each region the variables of its function that nothing but regions uses."""
    numbers: tuple[int, ...] = ()
    """Which of all regions of the file each one is."""

    @property
    def left_out(self) -> tuple[Diagnostic, ...]:
        """Why parts of the file were not taken."""
        told = [] if self.remark is None else [self.remark]
        return tuple(dict.fromkeys((*told, *(each.why for each in self.unread))))


def read_c(
    path_or_text: str | Path,
    *,
    function: str | None = None,
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    context: str | isl.Set | None = None,
    system_include: Sequence[str] = (),
    standard: str = "gnu11",
    assume_non_negative: bool = False,
    autodetect: bool = False,
) -> list[Scop]:
    """The polyhedral models of the regions of a C program.

    A string that names a file is a path, any other is the program itself.  What cannot be read
    raises :class:`~loopwright.InputError`.

    >>> program = '''
    ... void scale(int n, double A[n]) {
    ... #pragma scop
    ...   for (int i = 0; i < n; i++)
    ...     A[i] = 2 * A[i];
    ... #pragma endscop
    ... }
    ... '''
    >>> (scop,) = read_c(program)
    >>> print(scop.domain)
    [n] -> { S0[i] : 0 <= i < n }
    >>> print(scop.may_reads())
    [n] -> { S0[i] -> A[i] : 0 <= i < n }
    """
    name, content = source_of(path_or_text)
    options = ReadOptions(tuple(include), tuple(system_include), tuple(define), standard)
    chosen = parsed_context(context) if isinstance(context, str) else context
    question = Question(function, chosen, assume_non_negative, autodetect)
    return list(read_source(name, content, options, question).scops)


def source_of(path_or_text: str | Path) -> tuple[str, bytes]:
    """The name and the bytes of a program, given as a path or as its text."""
    if isinstance(path_or_text, str) and any(mark in path_or_text for mark in "\n;{"):
        return "input.c", path_or_text.encode()
    return str(path_or_text), file_content(Path(path_or_text))


def read_source(name: str, content: bytes, options: ReadOptions, question: Question) -> Reading:
    """The models of a program text, all of them; ``name`` is what messages call it."""
    with answering_deep_nesting(name):
        reader = CReader(ParsedFile(name, content, options))
        pragmas = pragmas_of(reader)
        if question.autodetect:
            found = _detected(reader, pragmas, question, None)
            if found.scops:
                return found
            raise InputError(_nothing_detected(name), *found.left_out)
        regions = marked_regions(reader, pragmas, question.function)
        if not regions:
            raise InputError(_no_region(name, question.function))
        scops = [_scop(reader, region, question) for region in regions]
        numbers = tuple(each.number for each in regions)
        return replace(_reading(reader, scops, []), numbers=numbers)


def read_what_can_be(
    name: str,
    content: bytes,
    options: ReadOptions,
    question: Question,
    until: float | None = None,
) -> Reading:
    """The models of the regions that have one, and why others have none.

    Of regions that are there when the time is over (see :func:`time.monotonic`) none is read.
    """
    with answering_deep_nesting(name):
        reader = CReader(ParsedFile(name, content, options))
        pragmas = pragmas_of(reader)
        if question.autodetect:
            found = _detected(reader, pragmas, question, until)
            nothing = _nothing_detected(name)
        else:
            found = _marked_ones(reader, pragmas, question, until)
            nothing = _no_region(name, question.function)
        if found.scops or found.unread:
            return found
        return replace(found, remark=replace(nothing, severity=Severity.NOTE))


def _detected(
    reader: CReader, pragmas: Pragmas, question: Question, until: float | None
) -> Reading:
    def build(region: Region) -> Scop:
        return _whatever_happens(region.span, until, lambda: _scop(reader, region, question))

    scops, left_out = detected_scops(reader, pragmas, question.function, build)
    return _reading(reader, scops, left_out)


def _marked_ones(
    reader: CReader, pragmas: Pragmas, question: Question, until: float | None
) -> Reading:
    scops: dict[int, Scop] = {}
    unread: list[Unread] = []
    for each in marks_of(reader, pragmas, question.function):
        try:
            scops[each.number] = _whatever_happens(
                each.opened, until, partial(_marked_one, reader, each, question)
            )
        except InputError as error:
            told = [replace(why, severity=Severity.WARNING) for why in error.diagnostics]
            unread += [Unread(each.function, each.opened, 0, why) for why in told]
    found = _reading(reader, tuple(scops.values()), unread)
    return replace(found, numbers=tuple(scops))


def _marked_one(reader: CReader, marked: Marked, question: Question) -> Scop:
    return _scop(reader, marked.read(), question)


def _whatever_happens(span: Span, until: float | None, read: Callable[[], Scop]) -> Scop:
    """A model, or an :class:`InputError` that says why there is none, even if we are to blame."""
    if until is not None and monotonic() > until:
        raise InputError(_unread(span, "there was not enough time to read it"))
    try:
        return read()
    except InputError:
        raise
    except MemoryError:
        raise InputError(_unread(span, "reading it took more memory than there is")) from None
    except RecursionError:
        raise InputError(too_deep(span)) from None
    except Exception as error:
        raise InputError(left_by_failure(failure_of(error), span)) from error


def _unread(span: Span, why: str) -> Diagnostic:
    message = f"{LEFT}{why}"
    hint = "raise the limit (--timeout), or make the region smaller"
    return Diagnostic("LW602", message, span, hint, Severity.WARNING)


def read_unit(unit: Unit, options: ReadOptions, question: Question) -> list[Scop | Diagnostic]:
    """The models of the regions of a preprocessed program, or why one has none.

    Places are those of the preprocessed text.
    """
    with answering_deep_nesting(unit.name):
        reader = CReader(ParsedFile(unit.name, unit.text, options, unit))
        pragmas = pragmas_of(reader)
        return [_read_region(reader, pragmas, each, question) for each in unit.regions]


def _read_region(
    reader: CReader, pragmas: Pragmas, stretch: tuple[int, int], question: Question
) -> Scop | Diagnostic:
    place = reader.parsed.main.span(*stretch)
    try:
        return _whatever_happens(
            place, None, lambda: _scop(reader, region_in(reader, pragmas, stretch), question)
        )
    except InputError as error:
        return error.diagnostics[0]


def _reading(reader: CReader, scops: Sequence[Scop], unread: Sequence[Unread]) -> Reading:
    places = [range(each.span.start, each.span.end) for each in scops]
    reserved: dict[range, tuple[str, ...]] = {}
    for _, span, read in reader.defined_functions():
        inside = sorted(
            (each for each in places if span.start <= each.start < span.end),
            key=lambda each: each.start,
        )
        if inside:
            reserved |= used_by_regions_alone(read(), inside)
    names = tuple(reserved[each] for each in places)
    numbers = tuple(range(len(scops)))
    headers = reader.parsed.headers()
    return Reading(
        tuple(scops), tuple(unread), None, headers=headers, reserved=names, numbers=numbers
    )


def _scop(reader: CReader, region: Region, question: Question) -> Scop:
    workshop = Workshop(
        reader.parsed, region_facts(region), region.function.name, question.assume_non_negative
    )
    if question.context is not None:
        workshop.context = question.context
        given = Assumption(question.context, "the user gave it", region.span)
        workshop.assumptions.append(given)
    try:
        with limited(MOST_OPERATIONS):
            scop = scop_from_region(region, workshop)
            _check_context(scop, workshop, question)
            return replace(scop, notes=tuple(workshop.notes))
    except OutOfOperations:
        raise workshop.reject(
            "LW401",
            "building the model takes too long",
            region.span,
            "split the region, or simplify its bounds and subscripts",
        ) from None


def _check_context(scop: Scop, workshop: Workshop, question: Question) -> None:
    """A context must leave something, and every name in it should mean something."""
    if scop.context.is_empty():
        reasons = "; ".join(each.reason for each in scop.assumptions)
        raise workshop.reject(
            "LW120",
            f"no parameter values satisfy all assumptions: {reasons}",
            scop.span,
            "check --context and the sizes of the arrays",
        )
    known = {each.name for each in scop.parameters}
    mentioned = names_in(question.context) if question.context is not None else set[str]()
    for name in sorted(mentioned - known):
        message = f"the context speaks of {name}, which is no parameter of this region"
        workshop.note("LW308", message, scop.span, f"parameters: {', '.join(sorted(known))}")


def _no_region(name: str, function: str | None) -> Diagnostic:
    where = f"function {function}" if function is not None else "this file"
    return Diagnostic(
        "LW114",
        f"there is no #pragma scop in {where}",
        whole_file(name),
        "mark the loops with #pragma scop and #pragma endscop, or use --autodetect",
    )


def _nothing_detected(name: str) -> Diagnostic:
    message = "found no loop nest that can be modelled"
    return Diagnostic("LW118", message, whole_file(name), "the notes below say why, if any")


@contextmanager
def answering_deep_nesting(name: str) -> Generator[None]:
    """Long expressions are deep trees; too deep ones are answered, not suffered."""
    with deep_recursion():
        try:
            yield
        except RecursionError:
            raise InputError(too_deep(whole_file(name))) from None
        except ctypes.ArgumentError as error:
            if RecursionError.__name__ not in str(error):  # which it has while it calls a library
                raise
            raise InputError(too_deep(whole_file(name))) from None
