"""Variables that a block declares: what happens to them, seen from inside of that block.

A variable that is declared inside of loops is a new one in each of their iterations.  Where its
declaration comes first, no value gets from one iteration to another, so that a read is answered by
looking at one iteration alone, whichever it is: the iterators around the declaration become
unknowns.  That leaves small questions, and unrolled text asks the same one again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import Statement
from loopwright.polyhedra.instances import same_prefix
from loopwright.verify.last_writes import LastWrites, Timed
from loopwright.verify.timeline import Count, Time, Times

IN, OUT, PARAM, SET = (
    isl.dim_type.in_,
    isl.dim_type.out,
    isl.dim_type.param,
    isl.dim_type.set,
)


@record(eq=False)
class Lifetime:
    """The declaration of a variable: its statement, and what it leaves without a value.

    ``start`` is the coordinate of time by which it comes before all that touches the variable, in
    the same iteration of the loops around it.
    """

    declaration: Statement
    killed: isl.Map
    times: Times
    start: int

    @property
    def depth(self) -> int:
        """How many loops are around the declaration."""
        return len(self.declaration.iterators)

    def covers(self, timed: Timed) -> bool:
        """Does every access come after the declaration, in the same iteration of its loops?"""
        pairs = zip(timed.times[: self.start], self.times[: self.start], strict=True)
        here, place = timed.times[self.start].place, self.times[self.start].place
        if not all(_are_same(one, other) for one, other in pairs) or here is None or place is None:
            return False
        is_declaration = timed.element.get_tuple_name(IN) == self.declaration.name
        if not is_declaration and here <= place:
            return False
        if any(each.place is None and each.count is None for each in timed.times):
            return False
        declared = same_prefix(timed.element.domain(), self.declaration.domain, self.depth)
        return timed.element.is_subset(declared.apply_range(self.killed))

    def inside(self, timed: Timed) -> Timed:
        """The same access in any one iteration of the loops around the declaration."""
        here = _fixed(self.declaration.domain, SET, self.depth).params()
        name = timed.element.get_tuple_name(IN)
        element = _fixed(timed.element, IN, self.depth).gist_params(here).set_tuple_name(IN, name)
        space = element.get_space().domain()
        times = tuple(self._later(each, space) for each in timed.times[self.start :])
        return Timed(element, times)

    def _later(self, time: Time, space: isl.Space) -> Time:
        local = isl.LocalSpace.from_space(space)
        if time.place is not None:
            value = isl.Aff.zero_on_domain(local).add_constant_val(isl.Val(time.place))
            return Time(isl.PwAff.from_aff(value), time.place)
        assert time.count is not None
        at = time.count.iterator - self.depth
        value = isl.Aff.var_on_domain(local, SET, at)
        value = value.neg() if time.count.is_downwards else value
        return Time(isl.PwAff.from_aff(value), None, Count(at, time.count.is_downwards))

    def outside(self, answer: LastWrites, read: Timed, writes: Sequence[Timed]) -> LastWrites:
        """An answer for one iteration as an answer for all of them."""
        asked = read.element.domain()
        found = tuple(
            self._freed_pairs(each, write).intersect_domain(asked)
            for each, write in zip(answer.writes, writes, strict=True)
        )
        rest = _freed(answer.from_before, SET, self.depth).set_tuple_name(asked.get_tuple_name())
        return LastWrites(found, rest.intersect(asked), answer.is_certain)

    def _freed_pairs(self, pairs: isl.Map, write: Timed) -> isl.Map:
        names = [pairs.get_tuple_name(kind) for kind in (IN, OUT)]
        pairs = _freed(pairs, IN, self.depth).insert_dims(OUT, 0, self.depth)
        for at in range(self.depth):
            pairs = pairs.equate(IN, at, OUT, at)
        pairs = pairs.set_tuple_name(IN, names[0]).set_tuple_name(OUT, names[1])
        return pairs.intersect_range(write.element.domain())


def lifetime(declaration: Statement, killed: isl.Map, accesses: Sequence[Timed]) -> Lifetime | None:
    """The lifetime of a variable with this declaration, if it covers all accesses."""
    (times, *_) = (
        each.times for each in accesses if each.element.get_tuple_name(IN) == declaration.name
    )
    start = min((_parting(times, each.times) for each in accesses), default=len(times))
    around = [each.count.iterator for each in times[:start] if each.count is not None]
    if start == len(times) or around != list(range(len(declaration.iterators))):
        return None
    found = Lifetime(declaration, killed, times, start)
    return found if all(found.covers(each) for each in accesses) else None


def _parting(one: Times, other: Times) -> int:
    """The first coordinate that is not the same."""
    pairs = enumerate(zip(one, other, strict=True))
    return next((at for at, pair in pairs if not _are_same(*pair)), len(one))


def _are_same(one: Time, other: Time) -> bool:
    if one.place is not None or other.place is not None:
        return one.place == other.place
    return one.count is not None and one.count == other.count


def _unknown(at: int) -> str:
    """The name of an iterator that has become an unknown; no variable of C is called that."""
    return f"around.{at}"


Relation = TypeVar("Relation", isl.Set, isl.Map)


def _fixed(relation: Relation, kind: isl.dim_type, depth: int) -> Relation:
    """Instances, or what they touch, with their first iterators as unknowns."""
    count = relation.dim(PARAM)
    relation = relation.move_dims(PARAM, count, kind, 0, depth)
    for at in range(depth):
        relation = relation.set_dim_name(PARAM, count + at, _unknown(at))
    return relation


def _freed(found: Relation, kind: isl.dim_type, depth: int) -> Relation:
    """The unknowns as iterators again."""
    for at in range(depth):
        unknown = found.find_dim_by_name(PARAM, _unknown(at))
        if unknown < 0:
            found = found.insert_dims(kind, at, 1)
        else:
            found = found.move_dims(kind, at, PARAM, unknown, 1)
    return found
