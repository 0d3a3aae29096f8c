"""What happens to each element in the course of a run: as executed, and as the model predicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import islpy as isl
import numpy as np

from loopwright.model.scop import Access
from tests.execution.comparison import Observed, killed_elements
from tests.execution.enumeration import image_of, with_parameters
from tests.execution.memory import Element
from tests.execution.prediction import Instance, Prediction

from .brute_force import Event, History, Tag

SET = isl.dim_type.set


@dataclass(slots=True)
class Touching:
    """How one instance touches one element."""

    reads: set[Tag] = field(default_factory=set)
    writes: set[Tag] = field(default_factory=set)
    overwrites: bool = False
    kills: bool = False

    def at(self, place: int) -> Event:
        """The event at that place of the order."""
        reads, writes = frozenset(self.reads), frozenset(self.writes)
        return Event(place, reads, writes, self.overwrites, self.kills)


Touched = dict[tuple[int, Element], Touching]
"""By the place of the instance in the order, and the element."""


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """The instances of a run in order, kills among them, and the history of each element.

    ``windows`` are the arrays of which only some elements were looked at, with those elements.
    """

    order: Sequence[Instance]
    histories: Mapping[Element, History]
    windows: Mapping[str, isl.Set] = field(default_factory=dict)


def executed_trace(
    prediction: Prediction, observed: Iterable[Observed], *, exposed_only: bool = False
) -> Trace:
    """What the run really did; only the kills are the model's.

    The tag of an access is the name of its array.  ``exposed_only`` leaves out the reads of an
    element that the same instance wrote before: no other instance has anything to do with them.
    """
    place_of = {instance: place for place, instance in enumerate(prediction.order)}
    touched: Touched = {}
    for each in observed:
        place = place_of[each.instance]
        for touch in each.touches:
            touching = touched.setdefault((place, touch.element), Touching())
            if touch.reads and not (exposed_only and touching.overwrites):
                touching.reads.add(touch.element[0])
            if touch.writes:
                touching.writes.add(touch.element[0])
                touching.overwrites = True
    _add_kills(touched, place_of, prediction)
    return Trace(prediction.order, _histories(touched))


def _add_kills(touched: Touched, place_of: Mapping[Instance, int], prediction: Prediction) -> None:
    """A kill executes nothing: where it stands and what dies there, only the model says."""
    killed = killed_elements(prediction, {element for _, element in touched})
    for instance, elements in killed.items():
        for element in elements:
            touched.setdefault((place_of[instance], element), Touching()).kills = True


def _histories(touched: Touched) -> dict[Element, History]:
    events: dict[Element, list[Event]] = {}
    for place, element in sorted(touched):
        events.setdefault(element, []).append(touched[place, element].at(place))
    return {element: tuple(each) for element, each in events.items()}


def predicted_trace(prediction: Prediction, observed: Iterable[Observed]) -> Trace:
    """What the model says that the run may do and must do, access by access.

    Of an array without a known end, only the elements around those that the run touched count.
    """
    place_of = {instance: place for place, instance in enumerate(prediction.order)}
    windows = _windows(prediction, observed)
    touched: Touched = {}
    for access, instances in _accesses_with_instances(prediction):
        may, must = access.may, access.must
        if access.array in windows:
            may, must = (each.intersect_range(windows[access.array]) for each in (may, must))
        for instance, element in _elements(access.array, may, instances, prediction.values):
            touching = touched.setdefault((place_of[instance], element), Touching())
            if access.reads:
                touching.reads.add(access.tag)
            if access.writes:
                touching.writes.add(access.tag)
        for instance, element in _elements(access.array, must, instances, prediction.values):
            touched[place_of[instance], element].overwrites |= access.writes
    _add_kills(touched, place_of, prediction)
    return Trace(prediction.order, _histories(touched), windows)


def _accesses_with_instances(
    prediction: Prediction,
) -> Iterator[tuple[Access, Sequence[Instance]]]:
    by_statement: dict[int, list[Instance]] = {}
    for instance in prediction.order:
        by_statement.setdefault(instance.number, []).append(instance)
    for number, instances in by_statement.items():
        for access in prediction.scop.statements[number].accesses:
            if access.reads or access.writes:
                yield access, instances


def _elements(
    array: str, relation: isl.Map, instances: Sequence[Instance], values: Mapping[str, int]
) -> Iterable[tuple[Instance, Element]]:
    rank = relation.dim(isl.dim_type.in_)
    rows = np.array([each.iterators for each in instances], dtype=np.int64).reshape(
        len(instances), rank
    )
    owners, elements = image_of(relation, rows, values)
    for owner, element in zip(owners.tolist(), elements.tolist(), strict=True):
        yield instances[owner], (array, tuple(element))


def _windows(prediction: Prediction, observed: Iterable[Observed]) -> dict[str, isl.Set]:
    """For each array of which an access has no end: a box around what the run touched of it."""
    arguments = with_parameters(prediction.values)
    endless: dict[str, isl.Set] = {}
    for access, instances in _accesses_with_instances(prediction):
        domain = prediction.scop.statements[instances[0].number].domain
        reached = access.may.intersect_domain(domain).intersect_params(arguments).range()
        if not reached.is_bounded():
            endless[access.array] = isl.Set.universe(reached.get_space())
    touched: dict[str, list[tuple[int, ...]]] = {name: [] for name in endless}
    for each in observed:
        for touch in each.touches:
            touched.get(touch.element[0], []).append(touch.element[1])
    return {name: _box(space, touched[name]) for name, space in endless.items()}


def _box(elements: isl.Set, touched: Sequence[tuple[int, ...]]) -> isl.Set:
    for position in range(elements.dim(SET)):
        subscripts = [each[position] for each in touched] or [0]
        low, high = isl.Val(min(subscripts) - 1), isl.Val(max(subscripts) + 1)
        elements = elements.lower_bound_val(SET, position, low)
        elements = elements.upper_bound_val(SET, position, high)
    return elements
