"""When the statements of the new text run, and which of two instances runs first.

Every statement has its own place in the text, and a sequential text runs its instances one after
the other: of two different instances, one always runs before the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.unions import maps_of, sets_of
from loopwright.polyhedra.values import constant_of

IN, OUT = isl.dim_type.in_, isl.dim_type.out


@record
class Count:
    """Time as an iterator has it: its position, and whether it counts downwards."""

    iterator: int
    is_downwards: bool


@record(eq=False)
class Time:
    """One coordinate of when an instance runs.

    It has a ``place`` where it is the same for all instances, and a ``count`` where it is that of
    an iterator.
    """

    value: isl.PwAff
    place: int | None
    count: Count | None = None


Times = tuple[Time, ...]


def runs_before(first: Times, second: Times) -> isl.Map:
    """``{ S[i] -> T[j] : S[i] runs before T[j] }``, whatever their instances are."""
    there = second[0].value.get_domain_space()
    here = first[0].value.get_domain_space().align_params(there)
    space = here.map_from_domain_and_range(there.align_params(here))
    together = isl.Map.universe(space)
    found = [isl.Map.empty(space)]
    for one, other in zip(first, second, strict=True):
        if one.place is not None and other.place is not None:
            if one.place == other.place:
                continue
            found += [together] if one.place < other.place else []
            break
        found.append(_earlier(together, one, other))
        together = _same(together, one, other)
    return reduce(isl.Map.union, found)


def _earlier(pairs: isl.Map, one: Time, other: Time) -> isl.Map:
    """Those of the pairs whose first instance is earlier by this coordinate."""
    if not _are_alike(one, other):
        return pairs & one.value.lt_map(other.value)
    assert one.count is not None
    assert other.count is not None
    order = isl.Map.order_gt if one.count.is_downwards else isl.Map.order_lt
    return order(pairs, IN, one.count.iterator, OUT, other.count.iterator)


def _same(pairs: isl.Map, one: Time, other: Time) -> isl.Map:
    """Those of the pairs that have the same value of this coordinate."""
    if not _are_alike(one, other):
        return pairs & one.value.eq_map(other.value)
    assert one.count is not None
    assert other.count is not None
    return pairs.equate(IN, one.count.iterator, OUT, other.count.iterator)


def _are_alike(one: Time, other: Time) -> bool:
    """Are both counted by iterators, in the same direction?"""
    return (
        one.count is not None
        and other.count is not None
        and one.count.is_downwards == other.count.is_downwards
    )


def are_together(pairs: isl.Map, first: Times, second: Times) -> int:
    """How many leading coordinates are the same for all pairs of instances."""
    alike = 0
    for one, other in zip(first, second, strict=True):
        are_counts = one.place is None and other.place is None
        if not are_counts and one.place != other.place:
            break
        alike += 1
    # Most often all that may be the same is, or all but the innermost loop.
    ends = [at for at in range(alike) if first[at].place is None]
    for end in (alike, *reversed(ends)):
        if pairs.is_subset(within(pairs, first, second, end)):
            return end
    raise AssertionError("nothing but equal places comes before the first loop")


def may_run_between(times: Times, first: Times, last: Times, together: int) -> bool:
    """Can a statement run between two instances that have the first coordinates in common?

    What runs between the two has the same values of those coordinates.
    """
    ends = list(zip(first, times, last, strict=True))
    for one, each, _ in ends[:together]:
        if None not in (one.place, each.place) and one.place != each.place:
            return False
    for one, each, other in ends[together : together + 1]:
        if one.place is not None and each.place is not None and other.place is not None:
            return one.place <= each.place <= other.place
    return True


def always_before(first: Times, second: Times) -> bool:
    """Do all instances of one statement run before all of another, as the text tells?"""
    for one, other in zip(first, second, strict=True):
        if one.place is None or other.place is None:
            return False
        if one.place != other.place:
            return one.place < other.place
    return False


def within(pairs: isl.Map, first: Times, second: Times, together: int) -> isl.Map:
    """Those of the pairs of instances that have the first coordinates in common."""
    for one, other in zip(first[:together], second[:together], strict=True):
        if one.place is None or other.place is None:
            pairs = _same(pairs, one, other)
    return pairs


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
    return Time(_constant(time.value.get_domain_space(), rank), rank)


def _constant(space: isl.Space, value: int) -> isl.PwAff:
    """A coordinate that is the same for all instances."""
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    return isl.PwAff.from_aff(zero.add_constant_val(isl.Val(value)))


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
        found = coordinates(schedule)
        parameters = schedule.get_domain().get_space()
        for each in (*functions.values(), *(one for values in found.values() for one in values)):
            if not isinstance(each, int):
                parameters = parameters.align_params(each.get_domain_space())
        aligned = {name: each.align_params(parameters) for name, each in functions.items()}
        for name, values in found.items():
            self._times[name] = tuple(_time(each, aligned[name]) for each in values)
        length = max(map(len, self._times.values()), default=1)
        for name, function in aligned.items():
            if name not in self._times:  # it never runs, so that any time will do
                never = Time(_constant(function.get_domain_space(), 0), 0)
                self._times[name] = (never,) * length

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


# --- the coordinates of a schedule ----------------------------------------------------------------

Coordinate = isl.PwAff | int
"""A function of the instances, or a number that all of them have."""


def coordinates(schedule: isl.Schedule) -> dict[str, list[Coordinate]]:
    """When the instances of each statement run; all have as many coordinates.

    >>> tree = isl.Schedule('{ domain: "{ S[i]; T[] }", child: { sequence: ['
    ...     '{ filter: "{ S[i] }", child: { schedule: "[{ S[i] -> [(-i)] }]" } },'
    ...     '{ filter: "{ T[] }" }]}}')
    >>> coordinates(tree)
    {'S': [0, PwAff("{ S[i] -> [(-i)] }")], 'T': [1, 0]}
    """
    root = schedule.get_root()
    try:
        found = _below(root.child(0), _names(root.domain_get_domain()))
    except _Unknown:
        return _from_map(schedule)
    length = max(map(len, found.values()), default=1)
    return {name: [*values, *[0] * (length - len(values))] for name, values in found.items()}


class _Unknown(Exception):
    """A tree has nodes that programs do not lead to."""


def _below(node: isl.ScheduleNode, names: set[str]) -> dict[str, list[Coordinate]]:
    """The coordinates from a node on.  isl would make maps of them, and compare each with each."""
    kind = isl.schedule_node_type
    match node.get_type():
        case kind.leaf:
            return {name: [] for name in names}
        case kind.mark:
            return _below(node.child(0), names)
        case kind.filter:
            return _below(node.child(0), names & _names(node.filter_get_filter()))
        case kind.band:
            inner = _below(node.child(0), names)
            members = _members(node.band_get_partial_schedule())
            if not all(names <= each.keys() for each in members):
                raise _Unknown
            return {name: [*(each[name] for each in members), *inner[name]] for name in inner}
        case kind.sequence:
            parts = [_below(node.child(at), names) for at in range(node.n_children())]
            if sum(map(len, parts)) != len(names) or set[str]().union(*parts) != names:
                raise _Unknown
            return {
                name: [at, *values]
                for at, part in enumerate(parts)
                for name, values in part.items()
            }
        case _:
            raise _Unknown


def _names(instances: isl.UnionSet) -> set[str]:
    return {each.get_tuple_name() for each in sets_of(instances)}


def _members(partial: isl.MultiUnionPwAff) -> list[dict[str, isl.PwAff]]:
    """The functions of each statement, by the members of a band."""
    found: list[dict[str, isl.PwAff]] = []
    for at in range(partial.dim(isl.dim_type.set)):
        values = partial.get_at(at).get_pw_aff_list()
        each = [values.get_at(number) for number in range(values.n_pw_aff())]
        found.append({_statement(value): value for value in each})
    return found


def _statement(value: isl.PwAff) -> str:
    return value.get_domain_space().get_tuple_name(isl.dim_type.set)


def _from_map(schedule: isl.Schedule) -> dict[str, list[Coordinate]]:
    found: dict[str, list[Coordinate]] = {}
    for times in maps_of(schedule.get_map()):
        functions = isl.PwMultiAff.from_map(times)
        found[times.get_tuple_name(IN)] = [functions.get_at(at) for at in range(functions.dim(OUT))]
    return found


def _time(value: Coordinate, function: isl.MultiAff) -> Time:
    """A coordinate in terms of counters, which grow and fall as the iterators do."""
    if isinstance(value, int):
        return Time(_constant(function.get_domain_space(), value), value)
    value = value.align_params(function.get_domain_space())
    place = constant_of(value)
    count = count_of(value) if place is None else None
    if place is not None or count is not None:
        return Time(value, place, count)
    return Time(value.pullback_multi_aff(function), None)


def count_of(value: isl.PwAff) -> Count | None:
    """An iterator, or one that counts downwards?"""
    if value.n_piece() != 1:
        return None
    aff = value.get_pieces()[0][1]
    if aff.dim(isl.dim_type.div) > 0 or not aff.get_constant_val().is_zero():
        return None
    kinds = (IN, isl.dim_type.param)
    numbers = [aff.get_coefficient_val(kind, at) for kind in kinds for at in range(aff.dim(kind))]
    used = [at for at, each in enumerate(numbers) if not each.is_zero()]
    if len(used) != 1 or used[0] >= aff.dim(IN) or not numbers[used[0]].abs().is_one():
        return None
    return Count(used[0], numbers[used[0]].is_neg())
