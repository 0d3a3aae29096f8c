"""The compiler as one function: a C file in, the same program with other loops out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity
from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions
from loopwright.emit.files import (
    Replacement,
    code_alone,
    indentation_unit,
    region_end,
    replaced,
    replacement,
)
from loopwright.emit.locals import identifiers_in, region_names
from loopwright.emit.placement import placing
from loopwright.emit.pointers import pointers_to_ask
from loopwright.emit.refusal import CannotEmit
from loopwright.emit.regions import (
    RegionText,
    region_text,
    representable,
    require_printable,
)
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.inputs import parsed_context
from loopwright.frontend.reading import (
    Question,
    Reading,
    answering_deep_nesting,
    read_source,
    source_of,
)
from loopwright.model.loop_ast import LoopAst
from loopwright.model.scop import Scop, type_ranges, union_set


@dataclass(frozen=True, slots=True, eq=False)
class RegionResult:
    """What became of a region.

    ``loops`` and ``text`` are ``None`` where it stays as it was, and ``note`` says why.
    """

    scop: Scop
    schedule: isl.Schedule
    loops: LoopAst | None = None
    text: RegionText | None = None
    note: Diagnostic | None = None

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """What the user should know about it."""
        return (*self.scop.notes, *([self.note] if self.note is not None else []))


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The new program, and what became of each region."""

    content: bytes
    regions: tuple[RegionResult, ...]
    left_out: tuple[Diagnostic, ...] = ()

    @property
    def code(self) -> str:
        """The new program as text."""
        return self.content.decode(errors="surrogateescape")

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """All that the user should know, in the order of the regions."""
        told = tuple(note for region in self.regions for note in region.notes)
        return (*told, *self.left_out)


def optimize(
    path_or_text: str | Path,
    *,
    reschedule: bool = False,
    function: str | None = None,
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    context: str | isl.Set | None = None,
    system_include: Sequence[str] = (),
    standard: str = "gnu11",
    assume_non_negative: bool = False,
    autodetect: bool = False,
) -> Result:
    """The program with its regions generated anew from their schedules.

    For now the schedule is the original one: ``reschedule`` is refused.

    >>> program = '''void scale(int n, double *A) {
    ... #pragma scop
    ...   for (int i = 1; i < n + 1; i++)
    ...     A[i - 1] = 2 * A[i - 1];
    ... #pragma endscop
    ... }
    ... '''
    >>> print(optimize(program).code, end="")
    void scale(int n, double *A) {
    #pragma scop
      for (long c0 = 1; c0 <= n; c0++)
        A[c0 - 1] = 2 * A[c0 - 1];
    #pragma endscop
    }
    """
    name, content = source_of(path_or_text)
    options = ReadOptions(tuple(include), tuple(system_include), tuple(define), standard)
    chosen = parsed_context(context) if isinstance(context, str) else context
    question = Question(function, chosen, assume_non_negative, autodetect)
    return optimize_source(name, content, options, question, reschedule=reschedule)


def optimize_source(
    name: str, content: bytes, options: ReadOptions, question: Question, *, reschedule: bool
) -> Result:
    """The same for a program text; ``name`` is what messages call it."""
    with answering_deep_nesting(name):
        reading = read_source(name, content, options, question)
        if reschedule:
            raise InputError(_no_scheduler(reading))
        elsewhere = _names_elsewhere(reading, options)
        regions = tuple(
            _region(scop, content, question, options, elsewhere) for scop in reading.scops
        )
        unit = indentation_unit(content.decode(errors="replace"))
        replacements = [
            _replacement(region, content, question, unit)
            for region in regions
            if region.text is not None
        ]
        return Result(replaced(content, replacements), regions, reading.left_out)


def _no_scheduler(reading: Reading) -> Diagnostic:
    return Diagnostic(
        "LW121",
        "finding another order for the loops is not possible yet",
        reading.scops[0].span,
        "--no-reschedule generates the loops anew in their order",
    )


def _names_elsewhere(reading: Reading, options: ReadOptions) -> frozenset[str]:
    """The names that headers and the command line bring along, any of which may be a macro."""
    texts = [macro.partition("=")[0] for macro in options.define]
    for header in map(Path, reading.headers):
        if header.is_file():
            texts.append(header.read_bytes().decode(errors="replace"))
    return frozenset(identifiers_in("\n".join(texts)))


def _region(
    scop: Scop,
    content: bytes,
    question: Question,
    reading: ReadOptions,
    elsewhere: frozenset[str],
) -> RegionResult:
    """One region, from its model to its new text."""
    schedule = _executed(scop)
    whole = content.decode(errors="surrogateescape")
    try:
        end = region_end(content, scop, is_marked=not question.autodetect)
        source = code_alone(content[scop.span.start : end])
        require_printable(scop, source, code_alone(content))
        names = region_names(scop, whole, elsewhere)
        options = AstOptions(iterators=names.iterators, at_each_statement=placing(scop))
        context = scop.context & representable(scop.parameters)
        loops = _loops(scop, schedule, context, options)
        guaranteed = _guaranteed(scop, question)
        unit = indentation_unit(whole)
        pointers = pointers_to_ask(scop.parameters, source)
        text = region_text(
            scop,
            loops,
            names,
            guaranteed=guaranteed,
            pointers=pointers,
            unit=unit,
            is_c89=reading.is_c89,
        )
    except CannotEmit as refusal:
        return RegionResult(scop, schedule, note=_left_alone(refusal))
    return RegionResult(scop, schedule, loops, text)


def _loops(scop: Scop, schedule: isl.Schedule, context: isl.Set, options: AstOptions) -> LoopAst:
    """The generated loops; what is too complex for that keeps the loops that it has."""
    try:
        return generate(schedule, context=context, options=options)
    except InputError as error:
        raise CannotEmit(error.diagnostics[0].message, scop.span) from error


def _executed(scop: Scop) -> isl.Schedule:
    """The order of the statements that execute something."""
    executed = union_set(each.domain for each in scop.statements if not each.is_kill)
    return scop.schedule.intersect_domain(executed)


def _guaranteed(scop: Scop, question: Question) -> isl.Set:
    """What holds whatever happens: the ranges of the types, and what the user promised."""
    guaranteed = type_ranges(scop.parameters)
    if question.context is not None:
        guaranteed = guaranteed & question.context
    if question.assume_non_negative:
        for each in scop.parameters:
            guaranteed = guaranteed & isl.Set(f"[{each.name}] -> {{ : {each.name} >= 0 }}")
    return guaranteed


def _left_alone(refusal: CannotEmit) -> Diagnostic:
    message = f"the region is left as it is: {refusal.reason}"
    return Diagnostic("LW601", message, refusal.span, severity=Severity.WARNING)


def _replacement(
    region: RegionResult, content: bytes, question: Question, unit: str
) -> Replacement:
    assert region.text is not None
    return replacement(content, region.scop, region.text, in_braces=question.autodetect, unit=unit)


# --- as a document ------------------------------------------------------------------------------


def result_document(result: Result) -> dict[str, Any]:
    """What was decided, as plain data."""
    return {
        "format": "loopwright-result-1",
        "code": result.content.decode(errors="replace"),
        "regions": [_region_document(each) for each in result.regions],
        "notes": [str(each) for each in result.notes],
    }


def _region_document(region: RegionResult) -> dict[str, Any]:
    scop = region.scop
    document: dict[str, Any] = {
        "function": scop.function,
        "file": scop.span.file,
        "lines": [scop.span.line, scop.span.end_line],
        "rescheduled": False,
        "replaced": region.text is not None,
    }
    if region.text is not None:
        document["iterator_type"] = region.text.iterator_type
        document["test"] = region.text.test or None
        document["taken_for_granted"] = [
            each.reason for each in scop.assumptions if each.condition.plain_is_universe()
        ]
    if region.note is not None:
        document["reason"] = region.note.message
    return document
