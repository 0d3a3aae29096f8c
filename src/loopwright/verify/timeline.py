"""When the statements of the new text run, and which of two instances runs first.

Every statement has its own place in the text, and a sequential text runs its instances one after
the other: of two different instances, one always runs before the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import islpy as isl

from loopwright.polyhedra.unions import maps_of
from loopwright.polyhedra.values import constant_of

IN, OUT = isl.dim_type.in_, isl.dim_type.out


@dataclass(frozen=True, slots=True, eq=False)
class Time:
    """One coordinate of when an instance runs; ``place`` where it is the same for all of them."""

    value: isl.PwAff
    place: int | None


Times = tuple[Time, ...]


def runs_before(first: Times, second: Times) -> isl.Map:
    """``{ S[i] -> T[j] : S[i] runs before T[j] }``, whatever their instances are."""
    space = first[0].value.lt_map(second[0].value).get_space()
    together = isl.Map.universe(space)
    found = [isl.Map.empty(space)]
    for one, other in zip(first, second, strict=True):
        if one.place is not None and other.place is not None:
            if one.place == other.place:
                continue
            found += [together] if one.place < other.place else []
            break
        found.append(together & one.value.lt_map(other.value))
        together = together & one.value.eq_map(other.value)
    return reduce(isl.Map.union, found)


def compressed(times: Sequence[Times]) -> list[Times]:
    """The times of some statements, without what is the same for all of them.

    Places in the text become small numbers, so that stretches of text with the same structure have
    the same times.
    """
    kept: list[list[Time]] = [[] for _ in times]
    for coordinates in zip(*times, strict=True):
        places = [each.place for each in coordinates]
        fixed = sorted({each for each in places if each is not None})
        if None not in places and len(fixed) == 1:
            continue
        for at, each in enumerate(coordinates):
            kept[at].append(each if None in places else _placed(each, fixed))
    if kept and not kept[0]:
        return [each[:1] for each in times]
    return [tuple(each) for each in kept]


def _placed(time: Time, fixed: Sequence[int]) -> Time:
    assert time.place is not None
    rank = fixed.index(time.place)
    zero = time.value.sub(time.value)
    return Time(zero.add_constant_val(isl.Val(rank)), rank)


def times_map(times: Times) -> isl.Map:
    """``{ S[i] -> [t, …] }``."""
    first, *others = (isl.Map.from_pw_aff(each.value) for each in times)
    return reduce(isl.Map.flat_range_product, others, first)


class Timeline:
    """The order of the instances, one pair of statements at a time."""

    def __init__(self, schedule: isl.Schedule, functions: Mapping[str, isl.MultiAff]) -> None:
        """Take the times from a schedule; ``functions`` lead from counters to its iterators."""
        self._times: dict[str, Times] = {}
        self._before: dict[tuple[str, str], isl.Map] = {}
        for times in maps_of(schedule.get_map()):
            name = times.get_tuple_name(IN)
            coordinates = isl.PwMultiAff.from_map(times)
            values = [coordinates.get_at(at) for at in range(coordinates.dim(OUT))]
            self._times[name] = tuple(_time(each, functions[name]) for each in values)

    def times(self, statement: str) -> Times:
        """When the instances of a statement run."""
        return self._times[statement]

    def before(self, first: str, second: str) -> isl.Map:
        """``{ S[i] -> T[j] : S[i] runs before T[j] }``, whatever their instances are."""
        key = (first, second)
        if key not in self._before:
            self._before[key] = runs_before(self._times[first], self._times[second])
        return self._before[key]

    def after(self, first: str, second: str) -> isl.Map:
        """``{ S[i] -> T[j] : S[i] does not run before T[j] }``."""
        later = self.before(second, first).reverse()
        return later | isl.Map.identity(later.get_space()) if first == second else later


def _time(value: isl.PwAff, function: isl.MultiAff) -> Time:
    """A coordinate in terms of counters, which grow and fall as the iterators do."""
    place = constant_of(value)
    if place is not None or _is_iterator(value):
        return Time(value, place)
    return Time(value.pullback_multi_aff(function), None)


def _is_iterator(value: isl.PwAff) -> bool:
    """Is it an iterator, or one that counts downwards?"""
    if value.n_piece() != 1:
        return False
    aff = value.get_pieces()[0][1]
    if aff.dim(isl.dim_type.div) > 0 or not aff.get_constant_val().is_zero():
        return False
    kinds = (IN, isl.dim_type.param)
    numbers = [aff.get_coefficient_val(kind, at) for kind in kinds for at in range(aff.dim(kind))]
    used = [each for each in numbers if not each.is_zero()]
    in_params = any(not each.is_zero() for each in numbers[aff.dim(IN) :])
    return not in_params and len(used) == 1 and used[0].abs().is_one()
