"""The compiler as one function: a C file in, the same program with other loops out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import islpy as isl

from loopwright.apart import Apart, fate_apart, in_place, unprotected
from loopwright.basics.diagnostics import InputError
from loopwright.basics.failures import failure_of
from loopwright.basics.records import record
from loopwright.choosing import (
    NothingToGain,
    TimeIsUp,
    Wanted,
    chosen,
    executed,
    other_sizes,
    shared_time,
)
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
from loopwright.fates import (
    NO_MEMORY,
    Broken,
    Fate,
    LeftAlone,
    Outcome,
    OutOfTime,
    Refused,
    Rewritten,
    Rung,
    Unproved,
)
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import (
    Question,
    Reading,
    answering_deep_nesting,
    read_source,
    read_what_can_be,
)
from loopwright.ladder import Ladder
from loopwright.model.dependences import Dependences, Reduction
from loopwright.model.loop_ast import LoopAst
from loopwright.model.proofs import Rewriting, rewriting
from loopwright.model.scop import Scop, type_ranges
from loopwright.proving import Prover, Source
from loopwright.targets.cpu import Mapped
from loopwright.targets.packing import with_drains, with_fills
from loopwright.targets.work import ParallelLoop

MOST_OPERATIONS = 5_000_000
"""What isl may spend on the loops of one region: some three seconds."""


class TooManyLoops(CannotEmit):
    """The loops of a mapped region are too many to be generated in time."""


Reader = Callable[[str, bytes, ReadOptions, Question, float | None], Reading]
"""How to read a program, until some time."""


def read_all(
    name: str, content: bytes, options: ReadOptions, question: Question, until: float | None = None
) -> Reading:
    """For those who want all regions or none."""
    del until
    return read_source(name, content, options, question)


def _nobody_asks(region: int) -> None:
    del region


def optimize_source(
    name: str,
    content: bytes,
    options: ReadOptions,
    question: Question,
    wanted: Wanted,
    beginning: Callable[[int], None] = _nobody_asks,
    apart: Apart = in_place,
    read: Reader | None = None,
) -> Outcome:
    """The program with its regions in another order, which suits the machine.

    The new text is read back and proved to be the same program, unless that is not wanted.
    Whatever goes wrong in one region is the fate of that one alone: those are ``read`` that can be,
    and they are worked on ``apart``.  ``beginning`` is told the number of each region that work
    begins on.
    """
    with answering_deep_nesting(name):
        half = shared_time(wanted.deadline, 2)
        reading = (read or read_what_can_be)(name, content, options, question, half)
        source = Source(name, content, options, question)
        try:
            new, fates = _new_program(source, reading, wanted, beginning, apart)
        except InputError:
            raise
        except Exception as error:
            if apart is unprotected:
                raise
            new, fates = rewriting(name, content, []), _all_broken(reading, error)
        return Outcome(
            name,
            content,
            new.after,
            tuple(fates),
            wanted.machine,
            reading.left_out,
            reading.unread,
            numbers=reading.numbers,
        )


def _all_broken(reading: Reading, error: Exception) -> list[Fate]:
    """What was not about one region alone leaves all of them as they are."""
    if isinstance(error, MemoryError):
        return [OutOfTime(each, NO_MEMORY) for each in reading.scops]
    return [Broken(each, failure_of(error)) for each in reading.scops]


def _new_program(
    source: Source,
    reading: Reading,
    wanted: Wanted,
    beginning: Callable[[int], None],
    apart: Apart,
) -> tuple[Rewriting, list[Fate]]:
    """The program with the best versions of its regions that have a proof."""
    prover = Prover(source, reading.scops, reading.numbers)
    elsewhere = prover.names or _names_elsewhere(reading, source.options)
    places = (each.span.start for each in reading.scops)
    reserved = dict(zip(places, reading.reserved, strict=True))
    around = Surroundings(source, elsewhere, reserved, prover)
    fates = _first_versions(around, wanted, apart, beginning)
    _require_tiles(fates, wanted)
    if wanted.prove:
        make, write = partial(_region_in_time, around), partial(_rewritten, around)
        fates = Ladder(prover, wanted, make, write, apart, beginning).proved(fates)
    new = _compiled(around, fates)
    if wanted.prove:
        new = _still_proved(new, around, fates)
    return new, [_placed(each, new, around) for each in fates]


def _first_versions(
    around: Surroundings, wanted: Wanted, apart: Apart, beginning: Callable[[int], None]
) -> list[Fate]:
    """The best version of each region, without its proof.

    Each has the same share of half of the time, and what one does not need is there for the
    others: those that were late have another share of what is left.
    """
    scops = around.prover.scops
    fates: list[Fate] = [OutOfTime(each) for each in scops]
    half = shared_time(wanted.deadline, 2)

    def make(numbers: Sequence[int]) -> None:
        for position, at in enumerate(numbers):
            beginning(at)
            until = shared_time(half, len(numbers) - position)
            own = replace(wanted.of(at), deadline=until, skipped=wanted.skipped)
            work = partial(_region_in_time, around, at, own)
            fates[at] = fate_apart(apart, scops[at], until, work)

    make([at for at in range(len(scops)) if at not in wanted.skipped])
    for at, reason in wanted.skipped.items():
        fates[at] = OutOfTime(scops[at], reason)
    late = [at for at, each in enumerate(fates) if isinstance(each, OutOfTime) and each.is_late]
    if 0 < len(late) < len(scops):
        make(late)
    return fates


def _require_tiles(fates: Sequence[Fate], wanted: Wanted) -> None:
    plans = [nest.plan for each in fates for nest in each.nests]
    if fates and max(wanted.tile_sizes, default=1) > 1 and not any(each.tiles for each in plans):
        raise other_sizes(len(wanted.tile_sizes), "no", fates[0].scop)


def _rewritten(around: Surroundings, fates: Sequence[Fate]) -> Rewriting:
    found = [_replacement(each, around) for each in fates if isinstance(each, Rewritten)]
    return rewriting(
        around.source.name, around.content, [(each.start, each.end, each.text) for each in found]
    )


def _compiled(around: Surroundings, fates: list[Fate]) -> Rewriting:
    """The new program, without new texts that its compiler refuses; such regions stay."""
    new = _rewritten(around, fates)
    if around.prover.refusal(new.after):
        for at, region in enumerate(fates):
            if isinstance(region, Rewritten):
                alone = _rewritten(around, [region])
                if reason := around.prover.refusal(alone.after):
                    told = f"the compiler does not take it: {reason}"
                    fates[at] = Refused(region.scop, told, region.scop.span)
        new = _rewritten(around, fates)
    return new


def _still_proved(new: Rewriting, around: Surroundings, fates: list[Fate]) -> Rewriting:
    """The new program, if it is one in which the proofs of its regions hold: those of others left.

    Each was found in a program that had all new texts of its time.
    """
    problem = around.prover.problem(new) if new.stretches else None
    if problem is None:
        return new
    for at, each in enumerate(fates):
        if isinstance(each, Rewritten):
            fates[at] = Unproved(each.scop, (*each.lost, Rung(each.gain, problem)), each.found)
    return _rewritten(around, fates)


def _placed(region: Fate, new: Rewriting, around: Surroundings) -> Fate:
    """The region with the place of its new text, if it has one."""
    if not isinstance(region, Rewritten):
        return region
    start = _replacement(region, around).start
    (stretch,) = (each for each in new.stretches if each.start == start)
    return replace(region, stretch=stretch)


@record(eq=False)
class Surroundings:
    """The program that a region stands in, and how it was read."""

    source: Source
    elsewhere: frozenset[str]
    """Names that come from elsewhere, and that nothing new may have."""
    reserved: Mapping[int, Sequence[str]]
    """The variables that only regions use, by the place of the region."""
    prover: Prover

    @property
    def content(self) -> bytes:
        """The program."""
        return self.source.content

    @property
    def question(self) -> Question:
        """What the user wants to know of it."""
        return self.source.question

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


def _region_in_time(around: Surroundings, at: int, wanted: Wanted) -> Fate:
    """A region, unless it takes too long."""
    scop = around.prover.scops[at]
    obstacle = around.prover.obstacles.get(at)
    if obstacle is not None:
        return Refused(scop, obstacle.reason, obstacle.span or scop.span)
    try:
        return _region(scop, around, wanted)
    except TimeIsUp:
        return OutOfTime(scop)


def _region(scop: Scop, around: Surroundings, wanted: Wanted) -> Fate:
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
                is_c89=around.source.options.is_c89,
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
        return Refused(scop, refusal.reason, refusal.span, found)
    except CannotEmit as refusal:
        return Refused(scop, refusal.reason, refusal.span, found)
    except NothingToGain as nothing:
        return LeftAlone(scop, nothing.reason, nothing.found)
    return Rewritten(scop, new.tree, loops, text, new.nests, new.gain, found, new.told)


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


def _replacement(region: Rewritten, around: Surroundings) -> Replacement:
    found = replacement(
        around.content,
        region.scop,
        region.text,
        in_braces=around.question.autodetect,
        unit=around.unit,
    )
    return keeping_lines(found, around.content) if around.prover.lines_matter else found
