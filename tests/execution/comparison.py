"""One execution of a region against the model's prediction, and what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from loopwright.model.scop import Scop

from . import runtime
from .instrumenter import FORGOTTEN, RegionTable
from .log import Entry, Record
from .memory import Element, Memory, element_text
from .prediction import (
    Instance,
    Prediction,
    instance_text,
    is_in_context,
    predicted,
    schedule_covers_statements,
)
from .references import Reference

MOST = 3
"""How many differences of one kind are told; the first one explains the others."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One difference between the model and the execution."""

    kind: str
    message: str

    def __str__(self) -> str:
        """As a test prints it."""
        return f"{self.kind}: {self.message}"


@dataclass(frozen=True, slots=True)
class Touch:
    """One logged access to an element of the model."""

    element: Element
    reads: bool
    writes: bool


@dataclass(slots=True)
class Observed:
    """One logged instance and what it touched, in order."""

    instance: Instance
    touches: list[Touch] = field(default_factory=list)
    pending: list[tuple[Reference, int]] = field(default_factory=list)

    def read(self) -> set[Element]:
        """The elements read."""
        return {each.element for each in self.touches if each.reads}

    def written(self) -> set[Element]:
        """The elements written."""
        return {each.element for each in self.touches if each.writes}


@dataclass(frozen=True, slots=True, eq=False)
class Execution:
    """One run of a region beside its prediction, which is there unless the model has none."""

    mismatches: list[Mismatch]
    prediction: Prediction | None = None
    observed: tuple[Observed, ...] = ()


def compared(
    entry: Entry, table: RegionTable, references: Mapping[int, Reference]
) -> list[Mismatch]:
    """All differences between an execution and the model, the first few of each kind."""
    return execution_of(entry, table, references).mismatches


def execution_of(
    entry: Entry, table: RegionTable, references: Mapping[int, Reference]
) -> Execution:
    """What a run did, what the model predicts, and all differences between the two."""
    scop = table.scop
    values = {p.name: v for p, v in zip(scop.parameters, entry.values, strict=True)}
    found = [Mismatch("iterators", each) for each in table.complaints[:MOST]]
    if not is_in_context(scop, values):
        found.append(Mismatch("context", f"the run has {values}, outside {scop.context}"))
        return Execution(found)
    if not schedule_covers_statements(scop, values):
        found.append(Mismatch("schedule", f"its domain is not that of the statements, at {values}"))
        return Execution(found)
    prediction = predicted(scop, values)
    for one, other in prediction.ties[:MOST]:
        texts = f"{instance_text(scop, one)} and {instance_text(scop, other)}"
        found.append(Mismatch("order", f"the schedule runs {texts} at once"))
    reader = _Reader(scop, table, references, Memory.of(scop, values))
    observed = reader.read(entry.records)
    found += reader.mismatches
    if not entry.is_complete:
        found.append(Mismatch("instances", "the run leaves the region before its end"))
    sequence = _different_sequence(scop, prediction.executed(), [o.instance for o in observed])
    if sequence is not None:
        found.append(sequence)
    else:
        found += _accesses(prediction, observed) + _deaths(prediction, observed)
    return Execution(found, prediction, tuple(observed))


@dataclass(slots=True)
class _Reader:
    """Turns records into observed instances; addresses become elements at the instance's end."""

    scop: Scop
    table: RegionTable
    references: Mapping[int, Reference]
    memory: Memory
    mismatches: list[Mismatch] = field(default_factory=list)
    observed: list[Observed] = field(default_factory=list)
    _complaints: set[str] = field(default_factory=set)

    def read(self, records: Iterable[Record]) -> list[Observed]:
        """All instances of an entry."""
        for record in records:
            self._record(record)
        self._finish()
        return self.observed

    def _record(self, record: Record) -> None:
        match record.event:
            case runtime.BASE:
                self.memory.place(self.table.bases[record.number], record.words[0])
            case runtime.PRIVATE:
                start, size = record.words
                self.memory.private.append(range(start, start + size))
            case runtime.STATEMENT if record.number >= FORGOTTEN:
                text = self.table.forgotten[record.number - FORGOTTEN]
                self._complain("forgotten", f"the model has no statement for `{_short(text)}`")
            case runtime.STATEMENT:
                self._finish()
                self.observed.append(Observed(Instance(record.number, record.words)))
            case _:
                self._access(self.references[record.number], record.words[0])

    def _access(self, reference: Reference, address: int) -> None:
        if self.memory.is_private(address):
            return
        if not reference.is_outside and self.observed:
            self.observed[-1].pending += [(reference, address + leaf) for leaf in reference.leaves]
        elif not (reference.is_optional or reference.is_scratch):
            self._complain(
                "forgotten", f"no statement of the model {reference.mode.value} `{reference.text}`"
            )

    def _finish(self) -> None:
        """Resolve the addresses now that all variables of the instance have their place."""
        if not self.observed:
            return
        last = self.observed[-1]
        set_here: set[int] = set()
        for reference, address in last.pending:
            if reference.is_scratch:
                self._scratch(last, reference, address, set_here)
                continue
            element = self.memory.element_at(address, reference.arrays)
            if element is not None:
                last.touches.append(Touch(element, reference.reads, reference.writes))
            elif not reference.is_optional:
                who = instance_text(self.scop, last.instance)
                what = f"{reference.mode.value} `{reference.text}`"
                self._complain("forgotten", f"{who} {what}, which no array of the model holds")
        last.pending.clear()

    def _scratch(
        self, last: Observed, reference: Reference, address: int, set_here: set[int]
    ) -> None:
        """A loop variable that the model leaves out must bring nothing into an instance."""
        if reference.reads and address not in set_here:
            who = instance_text(self.scop, last.instance)
            self._complain("forgotten", f"{who} reads `{reference.text}` from before itself")
        set_here.add(address)

    def _complain(self, kind: str, message: str) -> None:
        if message not in self._complaints and len(self._complaints) < MOST:
            self._complaints.add(message)
            self.mismatches.append(Mismatch(kind, message))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "..."


def _different_sequence(
    scop: Scop, expected: list[Instance], seen: list[Instance]
) -> Mismatch | None:
    if expected == seen:
        return None
    pairs = zip(expected, seen, strict=False)
    place = next((k for k, (one, other) in enumerate(pairs) if one != other), None)
    if place is None:
        place = min(len(expected), len(seen))

    def text_at(instances: list[Instance]) -> str:
        shown = instances[place : place + 3]
        return ", ".join(instance_text(scop, each) for each in shown) or "nothing more"

    missing, extra = len(set(expected) - set(seen)), len(set(seen) - set(expected))
    return Mismatch(
        "instances",
        f"from place {place} on, the model expects {text_at(expected)}; the run did "
        f"{text_at(seen)} ({len(expected)} expected, {len(seen)} seen, {missing} never seen, "
        f"{extra} unexpected)",
    )


def _accesses(prediction: Prediction, observed: list[Observed]) -> list[Mismatch]:
    return [
        *_one_way("reads", prediction, observed, prediction.must_reads, prediction.may_read),
        *_one_way("writes", prediction, observed, prediction.must_writes, prediction.may_write),
    ]


def _one_way(
    verb: str,
    prediction: Prediction,
    observed: list[Observed],
    must: Mapping[Instance, set[Element]],
    allowed: Callable[[Iterable[tuple[Instance, Element]]], list[bool]],
) -> list[Mismatch]:
    scop = prediction.scop
    missing: list[tuple[Instance, Element]] = []
    extra: list[tuple[Instance, Element]] = []
    for each in observed:
        elements = each.read() if verb == "reads" else each.written()
        expected = must[each.instance]
        missing += [(each.instance, element) for element in sorted(expected - elements)]
        extra += [(each.instance, element) for element in sorted(elements - expected)]
    wrong = [pair for pair, good in zip(extra, allowed(extra), strict=True) if not good]
    told = [
        Mismatch(verb, f"the model says that {_pair(scop, each, verb)}; the run does not")
        for each in missing[:MOST]
    ]
    return told + [
        Mismatch(verb, f"in the run {_pair(scop, each, verb)}; the model does not say so")
        for each in wrong[:MOST]
    ]


def _pair(scop: Scop, pair: tuple[Instance, Element], verb: str) -> str:
    instance, element = pair
    text = _short(scop.statements[instance.number].text)
    return f"{instance_text(scop, instance)} {verb} {element_text(scop, element)} (in `{text}`)"


def _deaths(prediction: Prediction, observed: list[Observed]) -> list[Mismatch]:
    """Is a value read that the model thinks dead: killed, or never there at all?"""
    scop = prediction.scop
    touched = {touch.element for each in observed for touch in each.touches}
    killed = killed_elements(prediction, touched)
    is_live_in = {each.name: each.is_live_in for each in scop.arrays}
    dead: dict[Element, Instance] = {}
    written: set[Element] = set()
    found: list[Mismatch] = []
    by_instance = {each.instance: each for each in observed}
    for instance in prediction.order:
        for element in killed.get(instance, ()):
            dead[element] = instance
        seen = by_instance.get(instance)
        for touch in seen.touches if seen is not None else ():
            pair = _pair(scop, (instance, touch.element), "reads")
            if touch.reads and touch.element in dead:
                killer = instance_text(scop, dead[touch.element])
                found.append(Mismatch("kill", f"{pair}, which {killer} had killed"))
            elif touch.reads and not is_live_in[touch.element[0]] and touch.element not in written:
                found.append(Mismatch("live-in", f"{pair}, which nothing wrote before"))
            if touch.writes:
                dead.pop(touch.element, None)
                written.add(touch.element)
    return found[:MOST]


def killed_elements(
    prediction: Prediction, elements: Iterable[Element]
) -> dict[Instance, list[Element]]:
    """Of these elements: those that each instance kills."""
    statements = prediction.scop.statements
    arrays = {
        number: {access.array for access in statement.accesses if access.kills}
        for number, statement in enumerate(statements)
    }
    by_array: dict[str, list[Element]] = {}
    for element in elements:
        by_array.setdefault(element[0], []).append(element)
    pairs = [
        (instance, element)
        for instance in prediction.order
        for array in arrays[instance.number]
        for element in by_array.get(array, ())
    ]
    killed: dict[Instance, list[Element]] = {}
    for (instance, element), dies in zip(pairs, prediction.kills(pairs), strict=True):
        if dies:
            killed.setdefault(instance, []).append(element)
    return killed
