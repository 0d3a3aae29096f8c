"""The decisions of a scheduler, told in the order in which they were taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from loopwright.basics.records import record
from loopwright.model.scheduling_trace import (
    BandMade,
    Blocker,
    Event,
    Grouped,
    KeptOriginal,
    MergeTried,
    Problem,
    Separated,
    SharedVariable,
    Trace,
)
from loopwright.report.references import array_text
from loopwright.report.schedule_reasons import Reasons, reason_texts
from loopwright.report.schedule_tree import Member, loop_text
from loopwright.report.table import columns, listed, wrapped

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(0, "loop"), counted(1, "loop"), counted(12, "parallel loop")
    ('no loop', 'one loop', '12 parallel loops')
    """
    return f"{number_word(number)} {noun}{'' if number < 2 else 's'}"


def number_word(number: int) -> str:
    """A small number as a word."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


class Bands:
    """The bands of a trace: the last one of each set of statements that was made."""

    def __init__(self, reasons: Reasons) -> None:
        """Begin without any."""
        self.reasons = reasons
        self.last: dict[tuple[str, ...], BandMade] = {}

    def add(self, event: Event) -> None:
        """Take note of what an event makes."""
        if isinstance(event, BandMade):
            self.last[self.reasons.statements(event.statements)] = event
        elif isinstance(event, MergeTried) and event.verdict == "merged" and event.band:
            self.last[self.reasons.statements(event.band.statements)] = event.band


@record
class Line:
    """A line of the account, and how far it is indented."""

    text: str
    indent: int = 0


def trace_lines(trace: Trace, reasons: Reasons, indent: int = 0) -> list[str]:
    """All decisions, numbered."""
    bands = Bands(reasons)
    lines: list[str] = []
    width = len(str(len(trace.events)))
    for number, event in enumerate(trace.events, 1):
        title, *more = _event_lines(event, reasons, bands)
        lines += wrapped(f"{number:>{width}}. {title.text}", indent, width + 4)
        for each in more:
            lines += wrapped(each.text, indent + width + 2 + each.indent, 2)
        bands.add(event)
    return lines or [" " * indent + "none"]


def _event_lines(event: Event, reasons: Reasons, bands: Bands) -> Iterator[Line]:
    match event:
        case Grouped():
            names = listed(reasons.statements(event.statements))
            yield Line(f"{names}: scheduled as one, since each hands a value on")
        case BandMade():
            yield from _band_lines(event, reasons)
        case MergeTried():
            yield from _merge_lines(event, reasons, bands)
        case Separated():
            yield _split_line(event, reasons)
        case KeptOriginal():
            yield Line("no schedule was found: the program stays in its order")
        case SharedVariable():
            yield Line(_shared_line(event, reasons))
        case _:
            assert_never(event)


def _shared_line(event: SharedVariable, reasons: Reasons) -> str:
    scop = reasons.found.scop
    variables = listed([array_text(scop.array(each)) for each in event.arrays])
    loop = f"loop {event.member + 1} of their band" if event.member else "the outer loop"
    text = f"{listed(event.statements)}: {loop} is not parallel after all, since values of"
    return f"{text} {variables} leave an iteration"


# --- bands ----------------------------------------------------------------------------------------


def _band_lines(band: BandMade, reasons: Reasons) -> Iterator[Line]:
    yield Line(f"{listed(reasons.statements(band.statements))}: {_made(band)}")
    yield from _problem_lines(band, reasons)
    yield from _obstacle_lines(band, reasons)


def _made(band: BandMade) -> str:
    match band.algorithm:
        case "pluto" if band.members == 0:
            return "no band" if band.problems else "nothing left to schedule"
        case "pluto" if band.is_permutable:
            return f"a band of {counted(band.members, 'loop')}, {_parallel(band)}"
        case "pluto":
            return "one loop, the first that Pluto's algorithm finds"
        case "feautrier":
            return "one loop that carries as much as possible, by Feautrier's algorithm"
        case "wavefront":
            return "one loop, the sum of those of the band"
        case "original":
            return "one loop, as the program has it"
        case _:
            assert_never(band.algorithm)


def _parallel(band: BandMade) -> str:
    if band.members == 1:
        return "parallel" if band.coincident else "not parallel"
    if band.coincident == band.members:
        return "both parallel" if band.members == 2 else "all parallel"
    return f"{number_word(band.coincident) if band.coincident else 'none'} of them parallel"


def _problem_lines(band: BandMade, reasons: Reasons) -> list[Line]:
    """Each problem with its size, and the loop that it gave."""
    loops = _loops(band, reasons)
    lost = max(0, sum(each.is_solved for each in band.problems) - band.members)
    rows: list[tuple[str, ...]] = []
    for problem in band.problems:
        size = f"{problem.unknowns} unknowns, {problem.constraints} constraints:"
        if not problem.is_solved:
            answer = _unsolved(problem, has_loops=len(loops) < band.members)
        elif lost:
            answer, lost = "a loop that is given up again", lost - 1
        else:
            answer = loops.pop(0) if loops else "a loop"
        rows.append((problem.algorithm, size, answer))
    return [Line(each, 2) for each in (columns(rows) if rows else loops)]


def _loops(band: BandMade, reasons: Reasons) -> list[str]:
    return [
        loop_text(Member(times, at < band.coincident))
        for at, times in enumerate(reasons.times(band))
    ]


def _unsolved(problem: Problem, *, has_loops: bool) -> str:
    if problem.algorithm == "feautrier":
        return "nothing can be carried"
    kind = "parallel loop" if problem.with_coincidence else "loop"
    return f"no {'further ' if has_loops else ''}{kind}"


def _obstacle_lines(band: BandMade, reasons: Reasons) -> Iterator[Line]:
    yield from _reason_lines("kept within an iteration:", band.made_local, reasons)
    yield from _reason_lines("not kept near each other:", band.given_up, reasons)
    more = "no further parallel loop" if band.coincident else "no parallel loop"
    yield from _reason_lines(f"{more} because of", band.coincidence_lost_to, reasons)
    more = "no further loop" if band.members else "no loop"
    yield from _reason_lines(f"{more} because of", band.ended_by, reasons)


def _reason_lines(title: str, blockers: Sequence[Blocker], reasons: Reasons) -> Iterator[Line]:
    if blockers:
        yield Line(title)
        for text in reason_texts(reasons.of(blockers)):
            yield Line(text, 2)


# --- merges and splits ----------------------------------------------------------------------------


def _merge_lines(merge: MergeTried, reasons: Reasons, bands: Bands) -> Iterator[Line]:
    clusters = [", ".join(reasons.statements(each)) for each in merge.clusters]
    is_plain = len(clusters) == 2 and not any(", " in each for each in clusters)
    pair = "" if is_plain else _pair(merge, reasons)
    yield Line(f"{' + '.join(clusters)}{pair}: {verdict_text(merge, bands)}")
    if merge.band is not None:
        yield from _problem_lines(merge.band, reasons)
        if merge.verdict not in ("merged", "too far apart"):
            yield from _obstacle_lines(merge.band, reasons)


def _pair(merge: MergeTried, reasons: Reasons) -> str:
    """What the attempt was to bring near to what."""
    source, sink = (", ".join(reasons.statements([each])) for each in (merge.source, merge.sink))
    return f" (for {source} -> {sink})"


def verdict_text(merge: MergeTried, bands: Bands) -> str:
    """What became of an attempt to fuse clusters, and why."""
    match merge.verdict:
        case "merged":
            return "fused"
        case "no common band":
            kind = "parallel loop" if merge.band and merge.band.coincidence_lost_to else "loop"
            return f"not fused, since they have no {kind} in common"
        case "fewer members":
            return f"not fused, {_fewer(merge, bands, 'loop')}"
        case "fewer coincident members":
            return f"not fused, {_fewer(merge, bands, 'parallel loop')}"
        case "too far apart":
            return "not fused, since that would not bring uses close to what they use"
        case "tried before":
            return "not fused, since that includes a fusion that was rejected before"
        case "no band between":
            return "not fused, since what runs between them has no loops to share"
        case _:
            assert_never(merge.verdict)


def _fewer(merge: MergeTried, bands: Bands, noun: str) -> str:
    """``since together they have one parallel loop, and S1 alone has two``."""
    assert merge.band is not None, "what has fewer members has a band"
    names = [bands.reasons.statements(each) for each in merge.clusters]
    alone = [(each, bands.last[each]) for each in names if each in bands.last]

    def count(band: BandMade) -> int:
        return band.members if noun == "loop" else band.coincident

    text = f"since together they have {counted(count(merge.band), noun)}"
    best = max(alone, key=lambda each: count(each[1]), default=None)
    if best is None:
        return text
    verb = "has" if len(best[0]) == 1 else "have"
    return f"{text}, and {listed(best[0])} alone {verb} {number_word(count(best[1]))}"


def _split_line(split: Separated, reasons: Reasons) -> Line:
    parts = "; ".join(", ".join(reasons.statements(each)) for each in split.parts)
    order = "one after the other" if split.is_ordered else "each by itself, in any order"
    return Line(f"{parts}: {order}, {split_reason(split)}")


def split_reason(split: Separated) -> str:
    """Why statements do not run in common loops."""
    match split.reason:
        case "unconnected":
            return "since no dependence connects them"
        case "serialized":
            return "as asked for"
        case "not merged":
            return "since they were not fused"
        case "nothing carried":
            return "since no loop carries anything between them"
        case "for a deeper band":
            return "since apart they have more loops in their bands"
        case _:
            assert_never(split.reason)
