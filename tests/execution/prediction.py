"""What the model says that a run will do: the instances in order, and what each one touches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import islpy as isl
import numpy as np

from loopwright.model.scop import Access, Scop, Statement

from .enumeration import Integers, image_of, is_member, points_of, with_parameters
from .memory import Element


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of a statement, by the number of the statement and its iterators' values."""

    number: int
    iterators: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The instances in execution order, kills included; what they must read and write."""

    scop: Scop
    values: dict[str, int]
    order: list[Instance]
    ties: list[tuple[Instance, Instance]]
    must_reads: dict[Instance, set[Element]]
    must_writes: dict[Instance, set[Element]]

    def executed(self) -> list[Instance]:
        """The instances that execute something."""
        return [each for each in self.order if not self.scop.statements[each.number].is_kill]

    def may_read(self, pairs: Iterable[tuple[Instance, Element]]) -> list[bool]:
        """For each instance and element: is the one allowed to read the other?"""
        return self._may(list(pairs), lambda access: access.reads)

    def may_write(self, pairs: Iterable[tuple[Instance, Element]]) -> list[bool]:
        """For each instance and element: is the one allowed to write the other?"""
        return self._may(list(pairs), lambda access: access.writes)

    def kills(self, pairs: Iterable[tuple[Instance, Element]]) -> list[bool]:
        """For each instance and element: does the value of the one die at the other?"""
        return self._may(list(pairs), lambda access: access.kills, must=True)

    def _may(
        self,
        pairs: list[tuple[Instance, Element]],
        is_meant: Callable[[Access], bool],
        must: bool = False,
    ) -> list[bool]:
        groups: dict[tuple[int, str], list[int]] = {}
        for position, (instance, (array, _)) in enumerate(pairs):
            groups.setdefault((instance.number, array), []).append(position)
        allowed = np.zeros(len(pairs), dtype=bool)
        for (number, array), positions in groups.items():
            rows = np.array(
                [(*pairs[p][0].iterators, *pairs[p][1][1]) for p in positions], dtype=np.int64
            ).reshape(len(positions), -1)
            for access in self.scop.statements[number].accesses:
                if access.array == array and is_meant(access):
                    relation = access.must if must else access.may
                    allowed[positions] |= is_member(relation.wrap().flatten(), rows, self.values)
        return allowed.tolist()


def predicted(scop: Scop, values: Mapping[str, int]) -> Prediction:
    """Enumerate the model for given values of the parameters."""
    points = [points_of(each.domain, values) for each in scop.statements]
    order, ties = _ordered(scop, points, values)
    must_reads: dict[Instance, set[Element]] = {each: set() for each in order}
    must_writes: dict[Instance, set[Element]] = {each: set() for each in order}
    for number, statement in enumerate(scop.statements):
        instances = [Instance(number, tuple(row)) for row in points[number].tolist()]
        for access in statement.accesses:
            for instance, element in _touched(access, instances, points[number], values):
                if access.reads:
                    must_reads[instance].add(element)
                if access.writes:
                    must_writes[instance].add(element)
    return Prediction(scop, dict(values), order, ties, must_reads, must_writes)


def _touched(
    access: Access, instances: list[Instance], rows: Integers, values: Mapping[str, int]
) -> Iterable[tuple[Instance, Element]]:
    if not (access.reads or access.writes):
        return
    owners, elements = image_of(access.must, rows, values)
    for owner, element in zip(owners.tolist(), elements.tolist(), strict=True):
        yield instances[owner], (access.array, tuple(element))


def _ordered(
    scop: Scop, points: list[Integers], values: Mapping[str, int]
) -> tuple[list[Instance], list[tuple[Instance, Instance]]]:
    """Sort all instances by the flattened schedule; a tie means that the model has no order."""
    maps = _schedule_maps(scop)
    dated: list[tuple[tuple[int, ...], Instance]] = []
    for number, statement in enumerate(scop.statements):
        if len(points[number]) == 0:
            continue
        owners, dates = image_of(maps[statement.name], points[number], values)
        assert len(owners) == len(points[number]), f"{statement.name}: instances without a date"
        rows = points[number][owners].tolist()
        for row, date in zip(rows, dates.tolist(), strict=True):
            dated.append((tuple(date), Instance(number, tuple(row))))
    length = max((len(date) for date, _ in dated), default=0)
    padded = [(date + (0,) * (length - len(date)), instance) for date, instance in dated]
    padded.sort(key=lambda pair: pair[0])
    ties = [(one[1], other[1]) for one, other in pairwise(padded) if one[0] == other[0]]
    return [instance for _, instance in padded], ties


def _schedule_maps(scop: Scop) -> dict[str, isl.Map]:
    maps: dict[str, isl.Map] = {}

    def collect(relation: isl.Map) -> None:
        maps[relation.get_tuple_name(isl.dim_type.in_)] = relation

    scop.schedule.get_map().foreach_map(collect)
    return maps


def is_in_context(scop: Scop, values: Mapping[str, int]) -> bool:
    """Does the model claim to hold for these values?"""
    return not scop.context.params().intersect(with_parameters(values)).is_empty()


def schedule_covers_statements(scop: Scop, values: Mapping[str, int]) -> bool:
    """Does the schedule tree have exactly the instances of the statements?"""
    arguments = with_parameters(values)
    scheduled = scop.schedule.get_domain().intersect_params(arguments)
    return bool(scheduled.is_equal(scop.domain.intersect_params(arguments)))


def instance_text(scop: Scop, instance: Instance) -> str:
    """``S2[i=3, j=4]``."""
    statement: Statement = scop.statements[instance.number]
    pairs = zip(statement.iterators, instance.iterators, strict=False)
    return f"{statement.name}[{', '.join(f'{name}={value}' for name, value in pairs)}]"
