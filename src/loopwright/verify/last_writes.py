"""The last write of an element before a read of it, as a question of its own.

isl's engine proposes the writes.  What it proposes is not relied on: a proposed write is the last
one if it runs before the read and no write of the element runs between the two.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import union_map
from loopwright.polyhedra.unions import maps_of
from loopwright.verify.timeline import Time, Times, compressed, runs_before, times_map

IN, OUT = isl.dim_type.in_, isl.dim_type.out
READ, WRITE, ELEMENT = "Read", "Write", "Element"


@record(eq=False)
class Timed:
    """An access ``{ T[c] -> A[x] }`` and when it happens."""

    element: isl.Map
    times: Times

    def renamed(self, statement: str) -> Timed:
        """The same, with other names."""
        element = self.element.set_tuple_name(IN, statement).set_tuple_name(OUT, ELEMENT)
        name = element.get_tuple_id(IN)
        times = tuple(
            Time(each.value.set_tuple_id(IN, name), each.place, each.count) for each in self.times
        )
        return Timed(element, times)


@record(eq=False)
class LastWrites:
    """``{ T[c] -> U[d] }`` for each of the writes, and the reads that no write comes before.

    ``is_certain`` is false if it was not found out.
    """

    writes: tuple[isl.Map, ...]
    from_before: isl.Set
    is_certain: bool = True


class Oracle:
    """Finds last writes, and remembers them: unrolled text asks the same again and again."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: dict[str, LastWrites] = {}

    def last_writes(self, read: Timed, writes: Sequence[Timed]) -> LastWrites:
        """Which of the writes a read gets its value from."""
        found = [read.element.apply_range(each.element.reverse()) for each in writes]
        touching = [at for at, pairs in enumerate(found) if not pairs.is_empty()]
        if not touching:
            return LastWrites(tuple(found), read.element.domain())
        answer = self._answer(read, [writes[at] for at in touching])
        reader = read.element.get_tuple_name(IN)
        for at, each in zip(touching, answer.writes, strict=True):
            writer = writes[at].element.get_tuple_name(IN)
            found[at] = each.set_tuple_name(IN, reader).set_tuple_name(OUT, writer)
        rest = answer.from_before.set_tuple_name(reader)
        return LastWrites(tuple(found), rest, answer.is_certain)

    def _answer(self, read: Timed, writes: Sequence[Timed]) -> LastWrites:
        """The answer under other names, so that it serves for all that look the same."""
        times = compressed([read.times, *(each.times for each in writes)])
        asked = Timed(read.element, times[0]).renamed(READ)
        given = [
            Timed(each.element, time).renamed(f"{WRITE}{number}")
            for number, (each, time) in enumerate(zip(writes, times[1:], strict=True))
        ]
        key = "; ".join(map(_text, [asked, *given]))
        if key not in self._known:
            self._known[key] = _found(asked, given)
        return self._known[key]


def _text(timed: Timed) -> str:
    times = [each.place if each.place is not None else str(each.value) for each in timed.times]
    return f"{timed.element} at {times}"


def _found(read: Timed, writes: Sequence[Timed]) -> LastWrites:
    earlier = [_earlier(each, read) for each in writes]
    last = [
        proposed & possible
        for proposed, possible in zip(_proposed(read, writes, earlier), earlier, strict=True)
    ]
    rest = read.element.domain()
    for each in last:
        rest = rest.subtract(each.domain()) if not each.is_empty() else rest
    rest = rest.coalesce()
    is_certain = _are_last(last, earlier, rest, writes)
    return LastWrites(tuple(last), rest, is_certain)


def _earlier(write: Timed, read: Timed) -> isl.Map:
    """``{ T[c] -> U[d] }`` where U[d] writes the element of T[c], and runs before it."""
    same = read.element.apply_range(write.element.reverse())
    if same.is_empty():
        return same
    return same & runs_before(write.times, read.times).reverse()


def _proposed(
    read: Timed, writes: Sequence[Timed], earlier: Sequence[isl.Map]
) -> Sequence[isl.Map]:
    """The last writes, as isl's engine sees them."""
    present = [each for each, pairs in zip(writes, earlier, strict=True) if not pairs.is_empty()]
    nothing = [isl.Map.empty(each.get_space()) for each in earlier]
    if not present:
        return nothing
    access = isl.UnionAccessInfo.from_sink(isl.UnionMap.from_map(read.element))
    access = access.set_must_source(union_map(each.element for each in present))
    times = union_map(times_map(each.times) for each in (read, *present))
    flow = access.set_schedule_map(times).compute_flow().get_must_dependence()
    found = {each.get_tuple_name(IN): each.reverse() for each in maps_of(flow)}
    names = [each.element.get_tuple_name(IN) for each in writes]
    return [found.get(name, empty) for name, empty in zip(names, nothing, strict=True)]


def _are_last(
    last: Sequence[isl.Map],
    earlier: Sequence[isl.Map],
    rest: isl.Set,
    writes: Sequence[Timed],
) -> bool:
    """No write between a proposed one and the read; none before a read without any."""
    for other, pairs in zip(writes, earlier, strict=True):
        if pairs.is_empty():
            continue
        if not pairs.intersect_domain(rest).is_empty():
            return False
        for write, chosen in zip(writes, last, strict=True):
            if chosen.is_empty():
                continue
            between = runs_before(write.times, other.times).wrap()
            if not chosen.range_product(pairs).intersect_range(between).is_empty():
                return False
    return True
