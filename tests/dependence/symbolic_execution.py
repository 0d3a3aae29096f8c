"""A region run with symbols for numbers: every write makes a term of all that its instance read.

An instance reads, then it writes.  What it may write keeps its old value inside the new one, as
nobody knows which of the two it is; so two runs that agree here agree whatever the statements
compute and wherever a may-access really goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import islpy as isl

from loopwright.model.scop import Access, Scop
from tests.codegen.oracle import Step, expected
from tests.execution.enumeration import Integers, image_of, points_of, with_parameters

from .schedules import Scheduled

Instance = tuple[str, tuple[int, ...]]
Element = tuple[str, tuple[int, ...]]
Time = tuple[Step, ...]
Values = Mapping[str, int]

MOST_TOUCHED = 4000
WIDEST = 12
"""Where an extent is not known, so many elements of a may-access are looked at."""


class TooLarge(Exception):
    """More elements are touched than is worth the while."""


@dataclass(slots=True)
class Footprint:
    """What an instance touches."""

    reads: set[Element] = field(default_factory=set)
    may_writes: set[Element] = field(default_factory=set)
    must_writes: set[Element] = field(default_factory=set)
    kills: set[Element] = field(default_factory=set)


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A model at given parameters: its instances in their order, kills included."""

    scop: Scop
    values: dict[str, int]
    order: list[Instance]
    footprints: dict[Instance, Footprint]

    @property
    def position(self) -> dict[Instance, int]:
        """When each instance runs."""
        return {each: number for number, each in enumerate(self.order)}

    def executed(self) -> list[Instance]:
        """The instances that are not kills, in their order."""
        kills = {each.name for each in self.scop.statements if each.is_kill}
        return [each for each in self.order if each[0] not in kills]


def region_at(scop: Scop, values: Values) -> Region:
    """The model for these parameters."""
    known = {each.name: values[each.name] for each in scop.parameters}
    assert not scop.context.intersect(with_parameters(known)).is_empty(), "outside the context"
    footprints: dict[Instance, Footprint] = {}
    touched = 0
    for statement in scop.statements:
        rows = points_of(statement.domain, known)
        instances = [(statement.name, tuple(row)) for row in rows.tolist()]
        footprints |= {each: Footprint() for each in instances}
        for access in statement.accesses:
            may, must = (
                each.intersect_domain(statement.domain) for each in (access.may, access.must)
            )
            pairs = list(_touched(access, may, instances, rows, known))
            certain = set(_touched(access, must, instances, rows, known))
            touched += len(pairs)
            if touched > MOST_TOUCHED:
                raise TooLarge
            for instance, element in pairs:
                _enter(footprints[instance], access, element, (instance, element) in certain)
    times = times_at(scop.schedule, known)
    order = sorted(footprints, key=lambda each: [step.value for step in times[each]])
    return Region(scop, known, order, footprints)


def _touched(
    access: Access,
    relation: isl.Map,
    instances: Sequence[Instance],
    rows: Integers,
    values: Values,
) -> Iterable[tuple[Instance, Element]]:
    if relation.range().intersect_params(with_parameters(values)).is_bounded():
        inside = relation
    else:
        inside = relation.intersect_range(_first_elements(relation))
    owners, elements = image_of(inside, rows, values)
    for owner, element in zip(owners.tolist(), elements.tolist(), strict=True):
        yield instances[owner], (access.array, tuple(element))


def _first_elements(relation: isl.Map) -> isl.Set:
    result = isl.Set.universe(relation.get_space().range())
    for position in range(relation.dim(isl.dim_type.out)):
        result = result.lower_bound_val(isl.dim_type.set, position, isl.Val(0))
        result = result.upper_bound_val(isl.dim_type.set, position, isl.Val(WIDEST - 1))
    return result


def _enter(footprint: Footprint, access: Access, element: Element, is_certain: bool) -> None:
    if access.reads:
        footprint.reads.add(element)
    if access.writes:
        footprint.may_writes.add(element)
        if is_certain:
            footprint.must_writes.add(element)
    if access.kills and is_certain:
        footprint.kills.add(element)


# --- time ---------------------------------------------------------------------------------------


def times_at(schedule: Scheduled, values: Values) -> dict[Instance, Time]:
    """When each instance runs; no instance runs twice."""
    found = expected(schedule, values)
    times = {each.instance: each.time for each in found}
    assert len(times) == len(found), "an instance runs twice"
    return times


def runs_before(one: Time, other: Time) -> bool:
    """Does one certainly run before the other?"""
    for mine, yours in zip(one, other, strict=False):
        if mine != yours:
            return mine.is_ordered and yours.is_ordered and mine.value < yours.value
    return False


def linear_orders(region: Region, times: Mapping[Instance, Time]) -> list[list[Instance]]:
    """Two orders that a schedule allows: any two instances that it leaves open run both ways."""
    position = region.position
    orders: list[list[Instance]] = []
    for sign in (1, -1):

        def key(each: Instance, sign: int = sign) -> tuple[list[int], int]:
            steps = [s.value if s.is_ordered else sign * s.value for s in times[each]]
            return steps, sign * position[each]

        orders.append(sorted(region.executed(), key=key))
    return orders


# --- the run ------------------------------------------------------------------------------------

Term = int
DEAD: Term = -1
"""What is left after a kill: nobody may ask for it."""


@dataclass(slots=True)
class Terms:
    """Terms by number: equal numbers are equal terms, in all runs that share them."""

    numbers: dict[tuple[object, ...], Term] = field(default_factory=dict)

    def number(self, *parts: object) -> Term:
        """The term of these parts."""
        return self.numbers.setdefault(parts, len(self.numbers))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What every instance found in the elements that it touched, and what is there at the end."""

    seen: dict[tuple[Instance, Element], Term]
    final: dict[Element, Term]

    def live(self) -> dict[Element, Term]:
        """What somebody may want to know afterwards."""
        return {element: term for element, term in self.final.items() if term != DEAD}


def run(
    region: Region, order: Sequence[Instance], terms: Terms, original: Outcome | None = None
) -> Outcome:
    """Run the instances in that order.

    Without an ``original``, kills have their effect.  With it they are not in the order, and where
    the original found a dead value, anything will do.
    """
    memory: dict[Element, Term] = {}
    seen: dict[tuple[Instance, Element], Term] = {}

    def found(instance: Instance, element: Element) -> Term:
        if original is not None and original.seen[instance, element] == DEAD:
            return DEAD
        return memory.get(element, terms.number("initial", element))

    for instance in order:
        footprint = region.footprints[instance]
        uncertain = footprint.may_writes - footprint.must_writes
        for element in footprint.reads | uncertain:
            seen[instance, element] = found(instance, element)
        arguments = tuple((each, seen[instance, each]) for each in sorted(footprint.reads))
        result = terms.number(instance, arguments)
        for element in footprint.must_writes:
            memory[element] = terms.number("written", element, result)
        for element in uncertain:
            old = seen[instance, element]
            memory[element] = terms.number("perhaps", element, result, old)
        for element in footprint.kills:
            memory[element] = DEAD
    return Outcome(seen, memory)


def differences(region: Region, original: Outcome, other: Outcome) -> list[str]:
    """The reads that found something else, and the elements that are left with something else.

    What a may-write found counts only by what becomes of it.
    """
    found: list[str] = []
    for (instance, element), term in original.seen.items():
        is_read = element in region.footprints[instance].reads
        if is_read and other.seen[instance, element] != term:
            found.append(f"{instance} reads another value of {element}")
    for element, term in original.live().items():
        if other.final.get(element) != term:
            found.append(f"another value is left in {element}")
    return found
