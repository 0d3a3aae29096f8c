"""The compiler as one function: a C file in, the same program with other loops out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity
from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions
from loopwright.dependence.analysis import dependences
from loopwright.emit.files import (
    Replacement,
    code_alone,
    indentation_unit,
    region_end,
    replacement,
)
from loopwright.emit.locals import RegionNames, identifiers_in, region_names
from loopwright.emit.placement import placing
from loopwright.emit.pointers import pointers_to_ask
from loopwright.emit.pragmas import Pragma, with_pragmas
from loopwright.emit.refusal import CannotEmit
from loopwright.emit.regions import (
    RegionText,
    parameter_expression,
    region_text,
    representable,
    require_printable,
)
from loopwright.emit.scalars import keeping_in_scalars
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.inputs import parsed_context
from loopwright.frontend.reading import (
    Question,
    Reading,
    answering_deep_nesting,
    read_source,
    source_of,
)
from loopwright.model.dependences import Dependences
from loopwright.model.loop_ast import LoopAst
from loopwright.model.proofs import Proof, Rewriting, Unproved, Verdict, hint_from_loops, rewriting
from loopwright.model.scop import Scop, type_ranges, union_set
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.scheduling.api import schedule
from loopwright.scheduling.options import SchedulerOptions
from loopwright.targets.cpu import Mapped, MappedNest, cost_as_written, mapped
from loopwright.targets.machine import Machine
from loopwright.targets.registers import MOST_COPIES
from loopwright.targets.work import ParallelLoop
from loopwright.verify.read_back import Claim, read_back

CPU_SCHEDULERS = (
    SchedulerOptions(outer_coincidence=False, group_chains=False, time_limit=5.0),
    SchedulerOptions(group_chains=False, time_limit=5.0),
)
"""Bands that can be tiled first, and parallel loops first; the better one of the two is taken."""

MOST_OPERATIONS = 5_000_000
"""What isl may spend on the mapping of one order."""

SIMPLER = (6, 1)
"""How often statements may be written out where a proof of more copies takes too long."""

LEAST_GAIN = 1.1
"""A region is left alone unless it is expected to become so many times as fast."""


class NoProof(Exception):
    """The new text of a region could not be shown to be the same program."""

    def __init__(self, scop: Scop, verdict: Unproved) -> None:
        super().__init__(str(verdict))
        self.diagnostic = Diagnostic(
            "LW901",
            f"the new loops are {verdict}",
            scop.span,
            "nothing was written; --no-proof writes them anyway",
        )


class NothingToGain(Exception):
    """No order of a region is expected to be faster than the one that it has."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user wants of a new program."""

    reschedule: bool = True
    prove: bool = True
    machine: Machine = field(default_factory=Machine)
    most_copies: int = MOST_COPIES


@dataclass(frozen=True, slots=True, eq=False)
class RegionResult:
    """What became of a region.

    ``loops`` and ``text`` are ``None`` where it stays as it was, and ``note`` says why.
    """

    scop: Scop
    schedule: isl.Schedule
    nests: tuple[MappedNest, ...] = ()
    loops: LoopAst | None = None
    text: RegionText | None = None
    note: Diagnostic | None = None
    proof: Proof | None = None
    """That the new text is the same program; ``None`` if nobody asked, or nothing is new."""

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
    reschedule: bool = True,
    prove: bool = True,
    machine: Machine | None = None,
    function: str | None = None,
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    context: str | isl.Set | None = None,
    system_include: Sequence[str] = (),
    standard: str = "gnu11",
    assume_non_negative: bool = False,
    autodetect: bool = False,
) -> Result:
    """The program with its regions in another order, which suits the machine.

    Without ``reschedule`` the loops are only generated anew, in the order that they have.  The new
    text is read back and proved to be the same program, unless not to ``prove`` it is wanted; where
    that fails, there is no new program but a :class:`NoProof`.

    >>> program = '''void scale(int n, double *A) {
    ... #pragma scop
    ...   for (int i = 1; i < n + 1; i++)
    ...     A[i - 1] = 2 * A[i - 1];
    ... #pragma endscop
    ... }
    ... '''
    >>> print(optimize(program, reschedule=False).code, end="")
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
    wanted = Wanted(reschedule, prove, machine if machine is not None else Machine())
    return optimize_source(name, content, options, question, wanted)


def optimize_source(
    name: str, content: bytes, options: ReadOptions, question: Question, wanted: Wanted
) -> Result:
    """The same for a program in memory."""
    with answering_deep_nesting(name):
        reading = read_source(name, content, options, question)
        elsewhere = _names_elsewhere(reading, options)
        around = Surroundings(content, options, question, elsewhere)
        regions = [_region(scop, around, wanted) for scop in reading.scops]
        for simpler in (*SIMPLER, None) if wanted.prove else ():
            new = _rewritten(name, around, regions)
            verdicts = [_verdict(region, new, around) for region in regions]
            for at, verdict in enumerate(verdicts):
                if isinstance(verdict, Proof):
                    regions[at] = replace(regions[at], proof=verdict)
                elif isinstance(verdict, Unproved) and simpler is not None:
                    asked = replace(wanted, most_copies=simpler)
                    regions[at] = _region(reading.scops[at], around, asked)
                elif isinstance(verdict, Unproved):
                    raise NoProof(reading.scops[at], verdict)
        new = _rewritten(name, around, regions)
        return Result(new.after, tuple(regions), reading.left_out)


def _rewritten(name: str, around: Surroundings, regions: Sequence[RegionResult]) -> Rewriting:
    replacements = [_replacement(each, around) for each in regions if each.text is not None]
    return rewriting(
        name, around.content, [(each.start, each.end, each.text) for each in replacements]
    )


def _verdict(region: RegionResult, new: Rewriting, around: Surroundings) -> Verdict | None:
    """Is the new text of a region the same program?  Nobody asks twice, nor about old text."""
    if region.text is None or region.loops is None or region.proof is not None:
        return None
    start = _replacement(region, around).start
    (stretch,) = (each for each in new.stretches if each.start == start)
    hint = hint_from_loops(region.loops)
    claim = Claim(region.scop, new, stretch, hint, around.reading, around.question)
    return read_back(claim)


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The program that a region stands in, and how it was read."""

    content: bytes
    reading: ReadOptions
    question: Question
    elsewhere: frozenset[str]
    """Names that come from elsewhere, and that nothing new may have."""

    @property
    def text(self) -> str:
        """The program as text."""
        return self.content.decode(errors="surrogateescape")

    @property
    def unit(self) -> str:
        """One level of its indentation."""
        return indentation_unit(self.content.decode(errors="replace"))


def _names_elsewhere(reading: Reading, options: ReadOptions) -> frozenset[str]:
    """The names that headers and the command line bring along, any of which may be a macro."""
    texts = [macro.partition("=")[0] for macro in options.define]
    for header in map(Path, reading.headers):
        if header.is_file():
            texts.append(header.read_bytes().decode(errors="replace"))
    return frozenset(identifiers_in("\n".join(texts)))


def _region(scop: Scop, around: Surroundings, wanted: Wanted) -> RegionResult:
    """One region, from its model to its new text."""
    original = _executed(scop)
    try:
        _require_source(scop, around)
        new = _mapped(scop, wanted) if wanted.reschedule else Mapped(original)
        names = region_names(scop, around.text, around.elsewhere)
        loops = _loops(scop, new, names, with_scalars=wanted.reschedule)
        text = region_text(
            scop,
            loops,
            names,
            guaranteed=_guaranteed(scop, around.question),
            pointers=pointers_to_ask(scop.parameters, _source(scop, around)),
            unit=around.unit,
            is_c89=around.reading.is_c89,
        )
    except CannotEmit as refusal:
        return RegionResult(scop, original, note=_left_alone(refusal))
    except NothingToGain:
        return RegionResult(scop, original)
    return RegionResult(scop, new.tree, new.nests, loops, text)


def _source(scop: Scop, around: Surroundings) -> str:
    """The text of the region, without comments."""
    end = region_end(around.content, scop, is_marked=not around.question.autodetect)
    return code_alone(around.content[scop.span.start : end])


def _require_source(scop: Scop, around: Surroundings) -> None:
    require_printable(scop, _source(scop, around), code_alone(around.content))


def _mapped(scop: Scop, wanted: Wanted) -> Mapped:
    """A better order, mapped to the machine; what takes too long or gains nothing stays."""
    try:
        found = dependences(scop)
    except InputError as error:
        raise CannotEmit(error.diagnostics[0].message, scop.span) from error
    machine = wanted.machine
    before = cost_as_written(scop, found, machine)
    candidates: list[Mapped] = []
    for order in _orders(scop, found):
        with suppress(OutOfOperations), limited(MOST_OPERATIONS):
            candidates.append(mapped(order, found, machine, wanted.most_copies))
    # Nobody knows how many threads there will be.
    sound = [each for each in candidates if each.serial_cost <= before]
    best = min(sound, key=lambda each: each.cost, default=None)
    if best is None or best.cost * LEAST_GAIN > before:
        raise NothingToGain
    return best


def _orders(scop: Scop, found: Dependences) -> Iterator[isl.Schedule]:
    """The orders to choose from: those of the schedulers that do not take too long, and its own."""
    for options in CPU_SCHEDULERS:
        with suppress(InputError):
            yield schedule(found, options).tree
    yield _executed(scop)


def _loops(scop: Scop, new: Mapped, names: RegionNames, *, with_scalars: bool) -> LoopAst:
    """The generated loops; what is too complex for that keeps the loops that it has."""
    context = scop.context & representable(scop.parameters)
    options = AstOptions(
        iterators=names.iterators,
        at_each_statement=placing(scop),
        after_each_loop=keeping_in_scalars(scop, names.scalars) if with_scalars else None,
    )
    try:
        loops = generate(new.tree, context=context, options=options)
        return LoopAst(with_pragmas(loops.root, _pragmas(scop, new.parallel)))
    except InputError as error:
        raise CannotEmit(error.diagnostics[0].message, scop.span) from error


def _pragmas(scop: Scop, parallel: Mapping[str, ParallelLoop]) -> dict[str, Pragma]:
    """The pragmas of parallel loops: who takes which iterations, and is it worth it?"""
    found: dict[str, Pragma] = {}
    for mark, loop in parallel.items():
        text = mark.partition(" #")[0] + ("" if loop.is_even else " schedule(dynamic)")
        extents = tuple(parameter_expression(each, scop.context) for each in loop.extents)
        found[mark] = Pragma(text, extents)
    return found


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


def _replacement(region: RegionResult, around: Surroundings) -> Replacement:
    assert region.text is not None
    return replacement(
        around.content,
        region.scop,
        region.text,
        in_braces=around.question.autodetect,
        unit=around.unit,
    )


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
        "rescheduled": bool(region.nests),
        "replaced": region.text is not None,
        "proved": region.proof is not None,
        "nests": [_nest_document(each) for each in region.nests],
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


def _nest_document(nest: MappedNest) -> dict[str, Any]:
    """The plan of a nest; members are numbers in ``loops``."""
    plan = nest.plan
    return {
        "statements": list(nest.statements),
        "loops": [str(each) for each in nest.members],
        "order": list(plan.order),
        "tiles": [list(each) for each in plan.tiles],
        "unrolled": [list(each) for each in plan.unrolled.items()],
        "vector": plan.is_vector,
        "parallel": plan.parallel if plan.is_parallel or plan.is_wavefront else None,
        "wavefront": plan.is_wavefront,
    }
