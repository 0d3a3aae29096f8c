"""What must hold of the legality of a schedule, checked against runs of the program.

* A schedule without violations computes what the original computes, whatever the statements do.
* A violation names two instances that touch a common element and no longer run in their order.
* With live-range reordering a violation is no false alarm: at its parameters some order that the
  schedule allows makes an instance read another value, or leaves another value behind.  One
  exception: two writes that nobody reads are kept apart in time, though it does not matter.
* Without live-range reordering every pair of instances keeps its order that touches an element,
  one of them writing it; what is legal so is legal with live-range reordering, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path

import islpy as isl

from loopwright.basics.diagnostics import InputError
from loopwright.dependence.analysis import dependences
from loopwright.dependence.legality import Violation, respects, violations
from loopwright.model.dependences import Dependences, Kind
from loopwright.model.scop import Access, Scop
from loopwright.polyhedra.limits import OutOfOperations, limited
from tests.codegen.random_trees import SeededChoices
from tests.execution.enumeration import with_parameters

from .legality_execution import Trace, Trial, traces
from .legality_programs import WRITTEN, Subject, model_of, random_subjects
from .schedules import Scheduled, flat_map, has_free_order, random_schedule, tree_of
from .symbolic_execution import (
    Element,
    Instance,
    Outcome,
    Region,
    Terms,
    TooLarge,
    Values,
    differences,
    linear_orders,
    region_at,
    run,
    runs_before,
    times_at,
)

MOST_OPERATIONS = 1_000_000
"""What isl may spend on the dependences of a program; about a second."""


DEEDS = {
    Kind.FLOW: ("writes", "reads"),
    Kind.ANTI: ("reads", "writes"),
    Kind.OUTPUT: ("writes", "writes"),
}
"""What the source and the sink do."""


class LawBroken(AssertionError):
    """A law that does not hold, with all that is needed to see it again."""

    def __init__(self, subject: Subject, schedule: Scheduled, what: str) -> None:
        super().__init__(f"{what}\n{subject.template}\n{type(schedule).__name__}: {schedule}")
        self.what = what


@dataclass(slots=True, eq=False)
class Study:
    """A program with its dependences, and its runs so far."""

    subject: Subject
    scop: Scop
    reordering: Dependences
    in_order: Dependences
    terms: Terms = field(default_factory=Terms)
    runs: dict[tuple[int, ...], tuple[Region, Outcome]] = field(default_factory=dict)

    def at(self, values: Values) -> tuple[Region, Outcome]:
        """The region and its original run at these parameters."""
        key = tuple(values[each.name] for each in self.scop.parameters)
        if key not in self.runs:
            region = region_at(self.scop, values)
            self.runs[key] = region, run(region, region.order, self.terms)
        return self.runs[key]


def study_of(subject: Subject, operations: int = MOST_OPERATIONS) -> Study | None:
    """All about a program; none where it is no subject for these laws."""
    scop = model_of(subject)
    if scop is None:
        return None
    try:
        found = [
            dependences(scop, live_range_reordering=each, max_operations=operations)
            for each in (True, False)
        ]
        study = Study(subject, scop, found[0], found[1])
        for values in subject.values:
            study.at(values)
    except (TooLarge, InputError):
        return None
    has_order = any(len(region.executed()) > 1 for region, _ in study.runs.values())
    return study if has_order else None


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """A schedule of a program, and what is wrong with it."""

    study: Study
    schedule: Scheduled
    violations: Sequence[Violation]
    """With live-range reordering."""
    is_legal_in_order: bool
    """Without it."""
    is_changed: bool
    """Does it differ from the original order at all, where we looked?"""

    @property
    def is_legal(self) -> bool:
        """Is nothing wrong?"""
        return not self.violations

    def broken(self, what: str) -> LawBroken:
        """A law that does not hold for this schedule."""
        return LawBroken(self.study.subject, self.schedule, what)


def judged(study: Study, schedule: Scheduled) -> Judgement:
    """Judge a schedule, and the judgement by all laws."""
    return _Judge(study, schedule).judgement()


@dataclass(slots=True, eq=False)
class _Judge:
    study: Study
    schedule: Scheduled

    def judgement(self) -> Judgement:
        found = self._found(self.study.reordering)
        found_in_order = self._found(self.study.in_order)
        if found and not found_in_order:
            raise self._broken("legal without live-range reordering, but not with it")
        for each in [*found, *found_in_order]:
            self._must_be_real(each)
        for each in found:
            self._must_matter(each)
        is_changed = False
        for values in self.study.subject.values:
            is_changed |= self._check_at(values, not found, not found_in_order)
        return Judgement(self.study, self.schedule, tuple(found), not found_in_order, is_changed)

    def _broken(self, what: str) -> LawBroken:
        return LawBroken(self.study.subject, self.schedule, what)

    def _found(self, given: Dependences) -> list[Violation]:
        """The violations; the other ways to ask must give the same answer."""
        found = violations(self.schedule, given)
        if respects(self.schedule, given) == bool(found):
            raise self._broken(f"respects and violations disagree: {list(map(str, found))}")
        flat = self._flat()
        if flat is not None and respects(flat, given) == bool(found):
            raise self._broken("the tree and its map are judged differently")
        return found

    def _flat(self) -> isl.UnionMap | None:
        if isinstance(self.schedule, isl.UnionMap) or self._is_free():
            return None
        return flat_map(self.schedule)

    def _is_free(self) -> bool:
        return isinstance(self.schedule, isl.Schedule) and has_free_order(tree_of(self.schedule))

    # A violation

    def _must_be_real(self, violation: Violation) -> None:
        """Its instances exist, meet at an element, and have lost their order."""
        values = violation.parameters
        source, sink = ends_of(violation)
        region, _ = self.study.at(values)
        for instance in (source, sink):
            if instance not in region.footprints:
                raise self._broken(f"{violation}: there is no {instance} at {values}")
        accesses = [violation.source.access, violation.sink.access]
        if {each.array for each in accesses} != {violation.array}:
            raise self._broken(f"{violation}: its references are to other arrays")
        first, second = DEEDS[violation.kind]
        if not getattr(accesses[0], first) or not getattr(accesses[1], second):
            raise self._broken(f"{violation}: it is no {violation.kind.value} dependence")
        if not _have_common_element(accesses, (source, sink), values):
            raise self._broken(f"{violation}: the instances touch no common element")
        position = region.position
        if position[source] >= position[sink]:
            raise self._broken(f"{violation}: the source never ran before the sink")
        times = times_at(self.schedule, region.values)
        if runs_before(times[source], times[sink]):
            raise self._broken(f"{violation}: the source still runs before the sink")

    def _must_matter(self, violation: Violation) -> None:
        """At its parameters something goes wrong."""
        if self._is_free():
            return  # two linear orders do not show all that may be interleaved
        if not list(self._differences(violation.parameters)):
            raise self._broken(f"{violation}: a false alarm at {violation.parameters}")

    def _differences(self, values: Values) -> Iterator[str]:
        region, original = self.study.at(values)
        times = times_at(self.schedule, region.values)
        for order in linear_orders(region, times):
            yield from differences(region, original, run(region, order, self.study.terms, original))

    # No violation

    def _check_at(self, values: Values, is_legal: bool, is_legal_in_order: bool) -> bool:
        """Run it at these parameters; does it differ from the original order at all?"""
        region, _ = self.study.at(values)
        times = times_at(self.schedule, region.values)
        if is_legal:
            for each in self._differences(values):
                raise self._broken(f"no violation found, but at {values} {each}")
        if is_legal_in_order:
            for source, sink, element in required_pairs(region):
                if not runs_before(times[source], times[sink]):
                    raise self._broken(
                        f"no violation found without reordering, but at {values}"
                        f" {source} does not run before {sink}; both touch {element}"
                    )
        return any(order != region.executed() for order in linear_orders(region, times))


def ends_of(violation: Violation) -> tuple[Instance, Instance]:
    """The two instances: what has to come first, and what has to come later."""
    source, sink = violation.source, violation.sink
    return (
        (source.statement.name, tuple(source.iteration)),
        (sink.statement.name, tuple(sink.iteration)),
    )


def _have_common_element(
    accesses: Sequence[Access], instances: Sequence[Instance], values: Values
) -> bool:
    sets: list[isl.Set] = []
    for access, (_, iteration) in zip(accesses, instances, strict=True):
        relation = access.may.intersect_params(with_parameters(values))
        for position, value in enumerate(iteration):
            relation = relation.fix_val(isl.dim_type.in_, position, isl.Val(value))
        sets.append(relation.range())
    return not sets[0].intersect(sets[1]).is_empty()


def is_needed(region: Region, writer: Instance, element: Element) -> bool:
    """May the value that an instance leaves in an element be read, there or after the region?"""
    for instance in region.order[region.position[writer] + 1 :]:
        footprint = region.footprints[instance]
        if element in footprint.reads:
            return True
        if element in footprint.must_writes | footprint.kills:
            return False
    return True


def required_pairs(region: Region) -> Iterator[tuple[Instance, Instance, Element]]:
    """The pairs that keep their order where live ranges do.

    One of them writes what the other one touches; between a write and a read there is no kill.
    """
    touching: dict[Element, list[Instance]] = {}
    for instance in region.order:
        footprint = region.footprints[instance]
        for element in footprint.reads | footprint.may_writes | footprint.kills:
            touching.setdefault(element, []).append(instance)
    for element, instances in touching.items():
        ages = _ages(region, element, instances)
        for (source, age), (sink, other_age) in combinations(ages, 2):
            if element in region.footprints[sink].may_writes or (
                element in region.footprints[source].may_writes and age == other_age
            ):
                yield source, sink, element


def _ages(
    region: Region, element: Element, instances: Sequence[Instance]
) -> list[tuple[Instance, int]]:
    """The instances that read or write an element, each with the number of kills before it."""
    found: list[tuple[Instance, int]] = []
    age = 0
    for instance in instances:
        if element in region.footprints[instance].kills:
            age += 1
        else:
            found.append((instance, age))
    return found


# --- many of them -------------------------------------------------------------------------------


@cache
def written_studies() -> tuple[Study, ...]:
    """The written programs."""
    found = tuple(map(study_of, WRITTEN))
    return tuple(each for each in found if each is not None)


def studies(seed: int, random_programs: int, operations: int = MOST_OPERATIONS) -> list[Study]:
    """The written programs and some random ones."""
    subjects = random_subjects(random_programs, seed)
    drawn = (study_of(each, operations) for each in subjects)
    return [*written_studies(), *(each for each in drawn if each is not None)]


def judgement_of(
    chosen: Sequence[Study], seed: int, number: int, operations: int = 3 * MOST_OPERATIONS
) -> Judgement | None:
    """A random schedule of one of these programs, judged; the same one for the same numbers.

    None where there is too much to do.
    """
    choices = SeededChoices(random.Random(f"{seed}/{number}"))
    study = chosen[number % len(chosen)]
    schedule = random_schedule(choices, study.scop)
    try:
        with limited(operations):
            return judged(study, schedule)
    except (OutOfOperations, TooLarge):
        return None
    except InputError as error:
        if error.diagnostics[0].code != "LW701":
            raise
        return None


# --- real runs ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Tally:
    """How real runs went."""

    same: int = 0
    other: int = 0
    lucky: int = 0
    """Runs that compute the right numbers from the wrong values."""
    refused: int = 0


def check_runs(chosen: Sequence[Judgement], folder: Path) -> Tally:
    """Emit, compile and run the schedules; compare with what the model says about their order."""
    trials = [_trial(each) for each in chosen]
    tally = Tally()
    for judgement, trial, trace in zip(chosen, trials, traces(trials, folder), strict=True):
        if trace is None:
            tally.refused += 1
        else:
            _check_run(judgement, trial, trace, tally)
    return tally


def _trial(judgement: Judgement) -> Trial:
    """Written programs run where they are violated, too; random ones have their own ``main``."""
    study = judgement.study
    values = list(study.subject.values)
    if study.subject.arrays:
        values += [each.parameters for each in judgement.violations]
    return Trial(study.subject, study.scop, judgement.schedule, tuple(values))


def _check_run(judgement: Judgement, trial: Trial, trace: Trace, tally: Tally) -> None:
    for values, visits in zip(trial.values, trace.visits, strict=True):
        _check_visits(judgement, values, visits)
    is_same = trace.before == trace.after
    is_right = all(
        _leaves_the_same(judgement.study, values, visits)
        for values, visits in zip(trial.values, trace.visits, strict=True)
    )
    if judgement.is_legal and not is_right:
        raise judgement.broken("no violation found, but the emitted loops compute something else")
    if is_right and not is_same:
        raise judgement.broken("the emitted program prints something else")
    tally.same += is_right
    tally.lucky += is_same and not is_right
    tally.other += not is_same


def _check_visits(judgement: Judgement, values: Values, visits: Sequence[Instance]) -> None:
    """The same instances run, and a sink before its source unless the schedule leaves it open."""
    region, _ = judgement.study.at(values)
    if sorted(visits) != sorted(region.executed()):
        raise judgement.broken(f"at {values} these instances run: {visits}")
    times = times_at(judgement.schedule, region.values)
    here = [each for each in judgement.violations if each.parameters == region.values]
    for source, sink in map(ends_of, here):
        is_late = runs_before(times[sink], times[source])
        if is_late and visits.index(source) < visits.index(sink):
            raise judgement.broken(f"at {values} {source} does run before {sink}")


def _leaves_the_same(study: Study, values: Values, visits: Sequence[Instance]) -> bool:
    region, original = study.at(values)
    outcome = run(region, visits, study.terms, original)
    return all(outcome.final.get(each) == term for each, term in original.live().items())
