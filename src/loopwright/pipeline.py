"""The compiler as one function: a C file in, the same program with other loops out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity
from loopwright.basics.records import record
from loopwright.choosing import NothingToGain, TimeIsUp, Wanted, chosen, executed, other_sizes
from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions
from loopwright.dependence.analysis import dependences
from loopwright.emit.files import (
    Replacement,
    code_alone,
    indentation_unit,
    keeping_lines,
    region_end,
    replacement,
)
from loopwright.emit.locals import RegionNames, identifiers_in, region_names
from loopwright.emit.placement import Buffer, placing
from loopwright.emit.pointers import pointers_to_ask
from loopwright.emit.pragmas import Pragma, Reduced, with_pragmas
from loopwright.emit.refusal import CannotEmit
from loopwright.emit.regions import (
    RegionText,
    not_negative,
    parameter_expression,
    region_text,
    representable,
    require_printable,
)
from loopwright.emit.scalars import keeping_in_scalars
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import (
    Question,
    Reading,
    answering_deep_nesting,
    read_source,
)
from loopwright.model.dependences import Dependences, Reduction
from loopwright.model.loop_ast import LoopAst
from loopwright.model.proofs import (
    Proof,
    Rewriting,
    Stretch,
    Unknown,
    Verdict,
    hint_from_loops,
    rewriting,
)
from loopwright.model.scop import Scop, type_ranges
from loopwright.proving import Prover, Source
from loopwright.targets.cpu import Mapped, MappedNest
from loopwright.targets.machine import Machine
from loopwright.targets.packing import with_drains, with_fills
from loopwright.targets.work import ParallelLoop

MOST_OPERATIONS = 5_000_000
"""What isl may spend on the loops of one region: some three seconds."""

FEWER_OPERATIONS = 3_000_000
"""For a proof where there is something simpler to try: some three seconds."""

TOO_LATE = "there was not enough time for it"

SIMPLER = (6, 1)
"""How often statements may be written out where a proof of more copies takes too long."""


class NoProof(Exception):
    """The new text of a region could not be shown to be the same program."""

    def __init__(self, scop: Scop, verdict: Unknown) -> None:
        super().__init__(str(verdict))
        self.diagnostic = Diagnostic(
            "LW901",
            f"the new loops are {verdict}",
            scop.span,
            "nothing was written; --no-proof writes them anyway",
        )


class TooManyLoops(CannotEmit):
    """The loops of a mapped region are too many to be generated in time."""


@record(eq=False)
class RegionResult:
    """What became of a region.

    ``loops`` and ``text`` are ``None`` where it stays as it was; ``note`` or ``reason`` says why.
    """

    scop: Scop
    schedule: isl.Schedule
    nests: tuple[MappedNest, ...] = ()
    loops: LoopAst | None = None
    text: RegionText | None = None
    note: Diagnostic | None = None
    proof: Proof | None = None
    """That the new text is the same program; ``None`` if nobody asked, or nothing is new."""
    proof_seconds: float = 0.0
    reason: str = ""
    found: Dependences | None = None
    """Its dependences, if somebody had to know them."""
    told: tuple[str, ...] = ()
    """What to say of an order that the user has chosen."""
    stretch: Stretch | None = None
    """Where the new text is in the two programs."""
    is_late: bool = False
    """Was there not enough time for it?"""

    @property
    def copied(self) -> frozenset[str]:
        """The arrays of which iterations have copies."""
        return frozenset(each.array for nest in self.nests for each in nest.expanded)

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """What the user should know about it."""
        return (*self.scop.notes, *([self.note] if self.note is not None else []))


@record
class Fit:
    """How a program fits into a budget of machine code."""

    size: int
    budget: int
    """Both in bytes."""
    measure: str
    """How it was compiled."""
    what: str
    """What that took."""


@record(eq=False)
class Outcome:
    """The new program, and what became of each region."""

    name: str
    original: bytes
    content: bytes
    regions: tuple[RegionResult, ...]
    machine: Machine
    left_out: tuple[Diagnostic, ...] = ()
    fit: Fit | None = None
    """If it had to fit."""
    numbers: tuple[int, ...] = ()
    """Which of all regions that the file marks each one is."""

    @property
    def code(self) -> str:
        """The new program as text."""
        return self.content.decode(errors="surrogateescape")

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """All that the user should know, in the order of the regions."""
        told = tuple(note for region in self.regions for note in region.notes)
        return (*told, *self.left_out)


def _nobody_asks(region: int) -> None:
    del region


def optimize_source(
    name: str,
    content: bytes,
    options: ReadOptions,
    question: Question,
    wanted: Wanted,
    beginning: Callable[[int], None] = _nobody_asks,
) -> Outcome:
    """The program with its regions in another order, which suits the machine.

    The new text is read back and proved to be the same program, unless that is not wanted; where
    it fails, there is no new program but a :class:`NoProof`.  ``beginning`` is told the number of
    each region that work begins on.
    """
    with answering_deep_nesting(name):
        reading = read_source(name, content, options, question)
        prover = Prover(Source(name, content, options, question), reading.scops, reading.numbers)
        elsewhere = prover.names or _names_elsewhere(reading, options)
        places = (each.span.start for each in reading.scops)
        reserved = dict(zip(places, reading.reserved, strict=True))
        around = Surroundings(content, options, question, elsewhere, reserved, prover)
        regions: list[RegionResult] = []
        for at, scop in enumerate(reading.scops):
            beginning(at)
            left = sum(each not in wanted.skipped for each in range(at, len(reading.scops)))
            # As much time again is for the proofs.
            share = replace(wanted.of(at).share(max(1, 2 * left)), skipped=wanted.skipped)
            regions.append(_region_in_time(at, scop, around, share))
        plans = [nest.plan for region in regions for nest in region.nests]
        if max(wanted.tile_sizes, default=1) > 1 and not any(each.tiles for each in plans):
            raise other_sizes(len(wanted.tile_sizes), "no", reading.scops[0])
        if wanted.prove:
            _prove(name, around, regions, wanted, beginning)
        new = _compiled(name, around, regions)
        placed = tuple(_placed(each, new, around) for each in regions)
        told = reading.left_out
        return Outcome(
            name, content, new.after, placed, wanted.machine, told, numbers=reading.numbers
        )


def _simpler(wanted: Wanted) -> Iterator[Wanted]:
    """What to try where there is no proof, one after the other; a given order stays."""
    if wanted.chooser is not None:
        return
    if wanted.reassociates:
        wanted = replace(wanted, reassociates=False)
        yield wanted
    yield replace(wanted, most_copies=SIMPLER[0])
    wanted = replace(wanted, expands=False)
    for copies in (wanted.most_copies, *SIMPLER):
        yield replace(wanted, most_copies=copies)
    plain = replace(wanted, most_copies=1, packs=False)
    yield plain
    yield replace(plain, keeps_order=True)


def _is_simpler(new: Wanted, old: Wanted, region: RegionResult) -> bool:
    """Would a region become simpler, compared with what was wanted for it?"""
    return (
        (bool(region.copied) and not new.expands)
        or new.reassociates != old.reassociates
        or new.most_copies < old.most_copies
        or new.packs != old.packs
        or new.keeps_order != old.keeps_order
    )


def _prove(
    name: str,
    around: Surroundings,
    regions: list[RegionResult],
    wanted: Wanted,
    beginning: Callable[[int], None],
) -> None:
    """Give each new text its proof; what is too complex to prove becomes simpler, or stays."""
    failed: dict[int, Unknown] = {}
    given = {at: wanted.of(at) for at in range(len(regions))}
    ways = {at: list(_simpler(each)) for at, each in given.items()}
    for attempt in range(max(map(len, ways.values()), default=0) + 1):
        new = _rewritten(name, around, regions)
        for at, region in enumerate(regions):
            if region.text is None or region.proof is not None:
                continue
            simpler = ways[at][attempt] if attempt < len(ways[at]) else None
            beginning(at)
            started = monotonic()
            try:
                wanted.require_time()
                verdict = failed.pop(at, None) or _verdict(at, region, new, around, wanted.of(at))
                if isinstance(verdict, Unknown):
                    wanted.require_time()
            except TimeIsUp:
                regions[at] = _out_of_time(region.scop)
                continue
            if isinstance(verdict, Proof):
                seconds = monotonic() - started
                regions[at] = replace(region, proof=verdict, proof_seconds=seconds)
            elif simpler is None:
                raise NoProof(region.scop, verdict)
            elif not _is_simpler(simpler, given[at], region):
                failed[at] = verdict
            else:
                given[at] = simpler
                regions[at] = _simplified(at, region, around, simpler, verdict)
                if regions[at].text == region.text:
                    failed[at] = verdict


def _simplified(
    at: int, region: RegionResult, around: Surroundings, simpler: Wanted, verdict: Unknown
) -> RegionResult:
    """A region without proof, in the simpler way; the last one has to have something to gain."""
    other = _region_in_time(at, region.scop, around, simpler)
    if simpler.keeps_order and other.reason:
        raise NoProof(region.scop, verdict)
    return _or_unproved(other)


def _or_unproved(region: RegionResult) -> RegionResult:
    """Say that there was more to gain, if nothing is left of it."""
    if region.text is not None or not region.reason:
        return region
    return replace(region, reason=f"there was no proof of other loops, and {region.reason}")


def _rewritten(name: str, around: Surroundings, regions: Sequence[RegionResult]) -> Rewriting:
    replacements = [_replacement(each, around) for each in regions if each.text is not None]
    return rewriting(
        name, around.content, [(each.start, each.end, each.text) for each in replacements]
    )


def _compiled(name: str, around: Surroundings, regions: list[RegionResult]) -> Rewriting:
    """The new program, without new texts that its compiler refuses; such regions stay."""
    new = _rewritten(name, around, regions)
    if around.prover.refusal(new.after):
        for at, region in enumerate(regions):
            if region.text is not None:
                alone = _rewritten(name, around, [region])
                if reason := around.prover.refusal(alone.after):
                    refusal = CannotEmit(
                        f"the compiler does not take it: {reason}", region.scop.span
                    )
                    regions[at] = RegionResult(
                        region.scop, executed(region.scop), note=_left_alone(refusal)
                    )
        new = _rewritten(name, around, regions)
    return new


def _placed(region: RegionResult, new: Rewriting, around: Surroundings) -> RegionResult:
    """The region with the place of its new text, if it has one."""
    if region.text is None:
        return region
    start = _replacement(region, around).start
    (stretch,) = (each for each in new.stretches if each.start == start)
    return replace(region, stretch=stretch)


def _verdict(
    at: int, region: RegionResult, new: Rewriting, around: Surroundings, wanted: Wanted
) -> Verdict:
    """Is the new text of a region the same program?"""
    assert region.loops is not None
    return around.prover.verdict(
        at,
        new,
        hint_from_loops(region.loops),
        region.found,
        reassociates=wanted.reassociates,
        operations=FEWER_OPERATIONS if region.copied else None,
    )


@record(eq=False)
class Surroundings:
    """The program that a region stands in, and how it was read."""

    content: bytes
    reading: ReadOptions
    question: Question
    elsewhere: frozenset[str]
    """Names that come from elsewhere, and that nothing new may have."""
    reserved: Mapping[int, Sequence[str]]
    """The variables that only regions use, by the place of the region."""
    prover: Prover

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


def _region_in_time(at: int, scop: Scop, around: Surroundings, wanted: Wanted) -> RegionResult:
    """A region, unless it is to be skipped or takes too long."""
    if at in wanted.skipped:
        return _out_of_time(scop, wanted.skipped[at])
    obstacle = around.prover.obstacles.get(at)
    if obstacle is not None:
        refusal = CannotEmit(obstacle.reason, obstacle.span or scop.span)
        return RegionResult(scop, executed(scop), note=_left_alone(refusal))
    try:
        return _region(scop, around, wanted)
    except TimeIsUp:
        return _out_of_time(scop)


def _region(scop: Scop, around: Surroundings, wanted: Wanted) -> RegionResult:
    """One region, from its model to its new text."""
    original, found = executed(scop), None
    try:
        wanted.require_time()
        _require_source(scop, around)
        new = Mapped(original)
        if wanted.reschedule:
            found = _dependences(scop)
            new = chosen(scop, found, wanted)
        source = _source(scop, around)
        names = region_names(scop, around.text, around.elsewhere)
        buffers = _buffers(scop, new, names)
        narrowed = replace(scop, context=(scop.context & new.needs).coalesce())

        def written(limits: isl.Set) -> tuple[LoopAst, RegionText]:
            loops = _loops(narrowed, limits, new, names, buffers, wanted)
            return loops, region_text(
                narrowed,
                loops,
                names,
                guaranteed=_guaranteed(scop, around.question),
                pointers=pointers_to_ask(scop.parameters, source),
                unit=around.unit,
                is_c89=around.reading.is_c89,
                buffers=buffers,
                # What only a macro names is no word of the region, and may mean anything there.
                variables=[
                    each
                    for each in around.reserved[scop.span.start]
                    if each in identifiers_in(source)
                ],
                macros=around.prover.macros,
            )

        loops, text = _within_limits(scop, written)
    except TooManyLoops as refusal:
        if wanted.most_copies > 1:
            return _region(scop, around, replace(wanted, most_copies=1))
        return RegionResult(scop, original, note=_left_alone(refusal))
    except CannotEmit as refusal:
        return RegionResult(scop, original, note=_left_alone(refusal))
    except NothingToGain as nothing:
        return RegionResult(scop, original, reason=nothing.reason, found=nothing.found)
    return RegionResult(scop, new.tree, new.nests, loops, text, found=found, told=new.told)


def _within_limits(
    scop: Scop, written: Callable[[isl.Set], tuple[LoopAst, RegionText]]
) -> tuple[LoopAst, RegionText]:
    """What is written with the limits of the types; without them where that is too wide."""
    limits, fewer = representable(scop.parameters), not_negative(scop.parameters)
    try:
        return written(limits)
    except CannotEmit:
        if fewer.is_equal(limits):
            raise
        return written(fewer)


def _source(scop: Scop, around: Surroundings) -> str:
    """The text of the region, without comments."""
    end = region_end(around.content, scop, is_marked=not around.question.autodetect)
    return code_alone(around.content[scop.span.start : end])


def _require_source(scop: Scop, around: Surroundings) -> None:
    require_printable(scop, _source(scop, around), code_alone(around.content))


def _dependences(scop: Scop) -> Dependences:
    try:
        return dependences(scop)
    except InputError as error:
        raise CannotEmit(error.diagnostics[0].message, scop.span) from error


def _buffers(scop: Scop, new: Mapped, names: RegionNames) -> list[Buffer]:
    """The buffers, with names that nothing else has."""
    wanted = [(each, "tile") for each in new.packed] + [(each, "copies") for each in new.expanded]
    return [
        Buffer(names.scalars.fresh.fresh(f"{scop.array(each.array).variable}_{what}"), each)
        for each, what in wanted
    ]


def _loops(
    scop: Scop,
    limits: isl.Set,
    new: Mapped,
    names: RegionNames,
    buffers: Sequence[Buffer],
    wanted: Wanted,
) -> LoopAst:
    """The generated loops; what is too complex for that keeps the loops that it has."""
    context = scop.context & limits
    options = AstOptions(
        iterators=names.iterators,
        at_each_statement=placing(scop, buffers),
        whole_marks=frozenset(each.packed.name for each in buffers),
    )
    if wanted.reschedule:
        keeping = keeping_in_scalars(scop, names.scalars)
        options = replace(options, after_each_loop=keeping, max_operations=MOST_OPERATIONS)
    try:
        tree = with_drains(with_fills(new.tree, new.packed), new.expanded)
        loops = generate(tree, context=context, options=options)
        return LoopAst(with_pragmas(loops.root, _pragmas(scop, new.parallel, names)))
    except InputError as error:
        raise TooManyLoops(error.diagnostics[0].message, scop.span) from error


def _pragmas(
    scop: Scop, parallel: Mapping[str, ParallelLoop], names: RegionNames
) -> dict[str, Pragma]:
    """The pragmas of parallel loops: who takes which iterations, and is it worth it?"""
    found: dict[str, Pragma] = {}
    for mark, loop in parallel.items():
        text = mark.partition(" #")[0] + ("" if loop.is_even else " schedule(dynamic)")
        if loop.private:
            own = [names.of_array(scop.array(each)) for each in loop.private]
            text += f" private({', '.join(own)})"
        extents = tuple(parameter_expression(each, scop.context) for each in loop.extents)
        found[mark] = Pragma(text, extents, tuple(_reduced(loop.reductions, scop, names)))
    return found


def _reduced(reductions: Sequence[Reduction], scop: Scop, names: RegionNames) -> Iterator[Reduced]:
    for each in reductions:
        array = scop.array(each.array)
        variable = names.of_array(array) if array.rank == 0 else ""
        yield Reduced(each.operator, variable, each.statement, each.tags)


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


def _out_of_time(scop: Scop, reason: str = TOO_LATE) -> RegionResult:
    message = f"the region is left as it is: {reason}"
    hint = "raise the limit (--timeout, --code-budget), or make the region smaller"
    note = Diagnostic("LW602", message, scop.span, hint, Severity.WARNING)
    return RegionResult(scop, executed(scop), note=note, is_late=reason == TOO_LATE)


def _replacement(region: RegionResult, around: Surroundings) -> Replacement:
    assert region.text is not None
    found = replacement(
        around.content,
        region.scop,
        region.text,
        in_braces=around.question.autodetect,
        unit=around.unit,
    )
    return keeping_lines(found, around.content) if around.prover.lines_matter else found
