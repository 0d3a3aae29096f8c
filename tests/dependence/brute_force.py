"""Dependences by the definitions (PPCG §3.2), from what happens to each element in turn.

No isl here: the relations follow from lists of events.  Every relation is a set of pairs of
references, and a reference is the place of an instance in the order with the tag of an access.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product
from typing import TypeAlias

from tests.execution.memory import Element

Tag: TypeAlias = str
Reference: TypeAlias = tuple[int, Tag]
Pair: TypeAlias = tuple[Reference, Reference]


@dataclass(frozen=True, slots=True)
class Event:
    """What the instance at one place of the order does to one element: it reads, then it writes.

    ``reads`` and ``writes`` are the tags of the accesses that may do so.  An event that
    ``overwrites`` certainly writes; after one that ``kills`` the value before it is gone.
    """

    place: int
    reads: frozenset[Tag] = frozenset()
    writes: frozenset[Tag] = frozenset()
    overwrites: bool = False
    kills: bool = False

    @property
    def ends_values(self) -> bool:
        """Is the value from before it gone after it?"""
        return self.overwrites or self.kills

    def readers(self) -> list[Reference]:
        """Its reading references."""
        return [(self.place, tag) for tag in self.reads]

    def writers(self) -> list[Reference]:
        """Its writing references."""
        return [(self.place, tag) for tag in self.writes]


EventPair: TypeAlias = tuple[Event, Event]
History: TypeAlias = tuple[Event, ...]
"""The events of one element, in the order of the instances, at most one for each of them."""


@dataclass(slots=True)
class Relations:
    """The dependences of a run, and what it shares with the code around it."""

    flow: set[Pair] = field(default_factory=set)
    anti: set[Pair] = field(default_factory=set)
    output: set[Pair] = field(default_factory=set)
    order: set[Pair] = field(default_factory=set)
    forced: set[Pair] = field(default_factory=set)
    inputs: set[Pair] = field(default_factory=set)
    live_in: set[tuple[Reference, Element]] = field(default_factory=set)
    live_out: set[tuple[Reference, Element]] = field(default_factory=set)

    @property
    def false(self) -> set[Pair]:
        """The pairs whose second half overwrites what the first one reads or writes."""
        return self.anti | self.output


Denial: TypeAlias = Callable[[str, int, int], bool]
"""Is it promised that an array makes no dependence between the instances at two places?"""


def relations_of(
    histories: Mapping[Element, History], *, is_cut: bool = True, denied: Denial | None = None
) -> Relations:
    """All relations; ``is_cut=False`` for the memory-based ones, where nothing ends a value.

    Elements of the same history have the same dependences, so each history is asked once.
    """
    alike: dict[tuple[str, History], list[Element]] = {}
    for element, history in histories.items():
        alike.setdefault((element[0], history), []).append(element)
    found = Relations()
    for (array, history), elements in alike.items():
        is_denied = None if denied is None else partial(denied, array)
        _OneElement(history, is_cut, is_denied).add_to(found, elements)
    return found


@dataclass(frozen=True, slots=True)
class _OneElement:
    """The definitions, for the history of one element."""

    history: History
    is_cut: bool
    is_denied: Callable[[int, int], bool] | None

    def add_to(self, found: Relations, elements: Sequence[Element]) -> None:
        """Collect the relations of this history, which all of these elements have."""
        flow = self._kept(self.flow())
        false = self._kept(self.false())
        live_in, live_out = list(self.live_in()), list(self.live_out())
        found.flow |= _pairs(flow, Event.writers, Event.readers)
        found.anti |= _pairs(false, Event.readers, Event.writers)
        found.output |= _pairs(false, Event.writers, Event.writers)
        found.order |= self.order(flow)
        found.forced |= self.forced(flow, live_in, live_out)
        found.inputs |= _pairs(self.inputs(), Event.readers, Event.readers)
        found.live_in |= set(product((r for each in live_in for r in each.readers()), elements))
        found.live_out |= set(product((w for each in live_out for w in each.writers()), elements))

    def _kept(self, events: Iterable[EventPair]) -> list[EventPair]:
        """Without what is promised not to be."""
        if self.is_denied is None:
            return list(events)
        return [each for each in events if not self.is_denied(each[0].place, each[1].place)]

    def flow(self) -> Iterator[EventPair]:
        """A write and the reads that its value may reach."""
        for number, source in enumerate(self.history):
            if source.writes:
                yield from ((source, sink) for sink in self._until_end(number + 1) if sink.reads)

    def live_in(self) -> Iterator[Event]:
        """The reads that a value from before may reach."""
        return (each for each in self._until_end(0) if each.reads)

    def live_out(self) -> Iterator[Event]:
        """The writes whose value may be there at the end."""
        for number, source in enumerate(self.history):
            ended = any(each.ends_values for each in self.history[number + 1 :])
            if source.writes and not (ended and self.is_cut):
                yield source

    def _until_end(self, first: int) -> Iterator[Event]:
        """What a value meets, up to and including the event that ends it."""
        for event in self.history[first:]:
            yield event
            if event.ends_values and self.is_cut:
                return

    def false(self) -> Iterator[EventPair]:
        """An access and the writes after it, up to the first that certainly happens."""
        for number, source in enumerate(self.history):
            for sink in self.history[number + 1 :]:
                if sink.writes:
                    yield source, sink
                if sink.overwrites and self.is_cut:
                    break

    def order(self, flow: Iterable[EventPair]) -> set[Pair]:
        """The end of a live range, or a write that nobody reads, and every later write."""
        read = {source.place for source, _ in flow}
        later = self._kept(self._later_writes())
        unread = [(source, sink) for source, sink in later if source.place not in read]
        return _pairs(later, Event.readers, Event.writers) | _pairs(
            unread, Event.writers, Event.writers
        )

    def _later_writes(self) -> Iterator[EventPair]:
        """Every access and every write after it."""
        return (pair for pair in combinations(self.history, 2) if pair[1].writes)

    def forced(
        self,
        flow: Iterable[EventPair],
        live_in: Sequence[Event],
        live_out: Sequence[Event],
    ) -> set[Pair]:
        """Live-out writes stay last, live-in reads first, and writes of one read in order."""
        later = self._kept(self._later_writes())
        leaving, entered = ({each.place for each in events} for events in (live_out, live_in))
        last = [(source, sink) for source, sink in later if sink.place in leaving]
        first = [(source, sink) for source, sink in later if source.place in entered]
        sinks: dict[int, set[int]] = {}
        for source, sink in flow:
            sinks.setdefault(source.place, set()).add(sink.place)
        shared = self._kept(self._with_common(sinks))
        return (
            _pairs(last, Event.writers, Event.writers)
            | _pairs(first, Event.readers, Event.writers)
            | _pairs(shared, Event.writers, Event.writers)
        )

    def inputs(self) -> Iterator[EventPair]:
        """Two reads between which nothing ends a value: what both get may be the same."""
        for number, source in enumerate(self.history):
            if source.reads and not (source.ends_values and self.is_cut):
                yield from ((source, sink) for sink in self._until_end(number + 1) if sink.reads)

    def _with_common(self, related: Mapping[int, set[int]]) -> Iterator[EventPair]:
        """Two events, by their places, that have something in common."""
        events = [each for each in self.history if each.place in related]
        for one, other in combinations(events, 2):
            if not related[one.place].isdisjoint(related[other.place]):
                yield one, other


def _pairs(
    events: Iterable[EventPair],
    sources: Callable[[Event], list[Reference]],
    sinks: Callable[[Event], list[Reference]],
) -> set[Pair]:
    return {
        (source, sink) for one, other in events for source in sources(one) for sink in sinks(other)
    }
