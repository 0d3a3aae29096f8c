"""The decisions of a scheduler by what they are about: a band's end, a fusion that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from loopwright.basics.records import record
from loopwright.model.scheduling_trace import BandMade, Blocker, MergeTried, Separated, Trace
from loopwright.report.schedule_reasons import Reasons
from loopwright.report.schedule_trace import Bands, split_reason, verdict_text
from loopwright.report.schedule_tree import (
    BandOutline,
    Outline,
    Times,
    bands_in,
    names_in,
    quoted,
)
from loopwright.report.table import listed


@record
class Reason:
    """Why something is not there, as a sentence, and what stood in the way."""

    text: str
    blockers: tuple[Blocker, ...] = ()


Key = tuple[frozenset[str], tuple[frozenset[tuple[str, str]], ...]]
"""A band: its statements and what its members do with them."""


class Decisions:
    """Looks up decisions."""

    def __init__(self, trace: Trace, reasons: Reasons, outline: Outline) -> None:
        """Go through the trace once; the outline is what came of it."""
        self.reasons = reasons
        self.outline = outline
        self.ends: dict[Key, Reason] = {}
        self.merges: list[tuple[MergeTried, str]] = []
        self.splits: list[tuple[Separated, list[BandMade]]] = []
        bands = Bands(reasons)
        for event in trace.events:
            if isinstance(event, BandMade):
                self._note(event, bands)
            elif isinstance(event, MergeTried):
                self.merges.append((event, verdict_text(event, bands)))
                if event.verdict == "merged" and event.band is not None:
                    self._note(event.band, bands)
            elif isinstance(event, Separated):
                self.splits.append((event, self._without_band(event, bands)))
            bands.add(event)

    def _note(self, band: BandMade, bands: Bands) -> None:
        names = self.reasons.statements(band.statements)
        key = _key(names, self.reasons.times(band))
        if band.algorithm == "pluto" and band.is_permutable:
            self.ends[key] = _end(band)
            return
        before = bands.last.get(names)
        text = f"No loop around {listed(names)} can be parallel here, and so one was made that"
        text += " carries what it can."
        self.ends[key] = Reason(text, before.coincidence_lost_to if before is not None else ())

    def _without_band(self, split: Separated, bands: Bands) -> list[BandMade]:
        """The parts for which no band was found."""
        made = (bands.last.get(self.reasons.statements(each)) for each in split.parts)
        return [each for each in made if each is not None and not each.members and each.problems]

    def end_of(self, band: BandOutline) -> Reason | None:
        """Why a band of the schedule has no further loops."""
        return self.ends.get(_key(names_in(band), [each.times for each in band.members]))

    def unfused(self, names: Iterable[str]) -> list[Reason]:
        """Why some of the statements are not fused with others."""
        wanted = set(names)
        return [*self._rejected(wanted), *self._apart(wanted)]

    # --- rejected merges --------------------------------------------------------------------------

    def _rejected(self, names: set[str]) -> list[Reason]:
        """The attempts that failed, for each two clusters the most telling one."""
        found: dict[tuple[tuple[str, ...], ...], Reason] = {}
        for at, (merge, text) in enumerate(self.merges):
            ends = tuple(self._cluster_of(merge, each) for each in (merge.source, merge.sink))
            is_about = names & {name for each in ends for name in each}
            if not is_about or merge.verdict == "merged" or self._is_undone(at):
                continue
            if merge.band is not None or ends not in found:
                found[ends] = Reason(self._rejection(ends, text), _lost(merge))
        return list(found.values())

    def _rejection(self, ends: Sequence[tuple[str, ...]], text: str) -> str:
        """``S5 and S6 are not fused with S7 inside 'for k', since …``."""
        both = {name for each in ends for name in each}
        shared = [
            quoted(member)
            for band in bands_in(self.outline)
            if both <= set(names_in(band))
            for member in band.members
        ]
        inside = f" inside {listed(shared)}" if shared else ""
        these, those = map(listed, ends)
        verb = "is" if len(ends[0]) == 1 else "are"
        why = text.removeprefix("not fused")
        return f"{these} {verb} not fused with {those}{inside}{why}."

    def _cluster_of(self, merge: MergeTried, name: str) -> tuple[str, ...]:
        cluster = next(each for each in merge.clusters if name in each)
        return self.reasons.statements(cluster)

    def _is_undone(self, at: int) -> bool:
        """Were the two statements fused by a later attempt?"""
        merge = self.merges[at][0]
        return any(
            later.verdict == "merged" and _holds(later, merge.source) and _holds(later, merge.sink)
            for later, _ in self.merges[at + 1 :]
        )

    # --- what was not tried -----------------------------------------------------------------------

    def _apart(self, names: set[str]) -> Iterator[Reason]:
        for split, without_band in self.splits:
            parts = [self.reasons.statements(each) for each in split.parts]
            if not any(names & set(each) for each in parts):
                continue
            if split.reason == "not merged":
                yield from self._never_tried(names, without_band)
                continue
            order = "one after the other" if split.is_ordered else "each by itself"
            texts = "; ".join(listed(each) for each in parts)
            yield Reason(f"{texts} run {order}, {split_reason(split)}.")

    def _never_tried(self, names: set[str], without_band: Iterable[BandMade]) -> Iterator[Reason]:
        """The parts that have no band, where those of the statements or all others are such."""
        was_tried = any(_holds(merge, each) for merge, _ in self.merges for each in names)
        for band in without_band:
            part = self.reasons.statements(band.statements)
            if was_tried and not names & set(part):
                continue
            whose = "its" if len(part) == 1 else "their"
            text = (
                f"No fusion of {listed(part)} with others was tried, since no loop of {whose} own"
            )
            yield Reason(f"{text} can be parallel.", band.coincidence_lost_to or band.ended_by)


def _holds(merge: MergeTried, name: str) -> bool:
    return any(name in each for each in merge.clusters)


def _key(names: Iterable[str], members: Iterable[Times]) -> Key:
    return frozenset(names), tuple(frozenset(each.items()) for each in members)


def _end(band: BandMade) -> Reason:
    """Why a band of Pluto's algorithm has no further loop."""
    if band.ended_by or not band.made_local:
        return Reason("The band has no further loop.", band.ended_by)
    text = "The band has no further loop, since values must be used within its iterations: others"
    return Reason(f"{text} take their turn in the same memory.", band.made_local)


def _lost(merge: MergeTried) -> tuple[Blocker, ...]:
    """What cost the loops for which the merge was rejected."""
    if merge.band is None:
        return ()
    match merge.verdict:
        case "fewer coincident members":
            return merge.band.coincidence_lost_to
        case "no common band" | "fewer members":
            return merge.band.ended_by or merge.band.coincidence_lost_to
        case _:
            return ()
