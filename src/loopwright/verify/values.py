"""Following values from where they are computed to where they are needed, through all moves.

A value is named by its origin: ``[S[i] -> R3[]]`` is what the original instance S[i] writes by its
reference R3, and ``[A[x] -> before[]]`` what the element A[x] held before the region.  Suppose that
every copy of an instance reads, by each reference, a value of the same origin as the original
instance does.  Then, by induction over the order of the new text, all instances read and hence
compute the same values; and if each element that lives on ends with a value of the same origin, the
two programs leave the same memory behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.dependences import Dependences
from loopwright.model.scop import Access, Array, Statement, union_map
from loopwright.polyhedra.unions import maps_of
from loopwright.verify.bounds import is_within
from loopwright.verify.failure import NotProved, instance_text
from loopwright.verify.matching import Copy, Move
from loopwright.verify.one_to_one import uncovered
from loopwright.verify.references import Variables, plain_type
from loopwright.verify.sources import Memory, Name, Touch

OUT = isl.dim_type.out
BEFORE = "before"
MOST_ROUNDS = 16
"""Through so many moves may a value go on its way."""


def origin_of_writes(statement: Statement, access: Access) -> isl.Map:
    """``{ S[i] -> [S[i] -> R[]] }``."""
    return access.reference(isl.Set.universe(statement.domain.get_space())).domain_map().reverse()


def origin_before(elements: isl.Map, array: str) -> isl.Map:
    """``{ T[c] -> [A[x] -> before[]] }`` from ``{ T[c] -> A'[x] }``."""
    named = elements.set_tuple_name(OUT, array)
    space = named.get_space()
    nothing = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, 0).set_tuple_name(
        isl.dim_type.set, BEFORE
    )
    pairs = isl.Map.from_domain_and_range(
        isl.Set.universe(space.domain()), isl.Set.universe(nothing.align_params(space.params()))
    )
    return named.range_product(pairs)


@record(eq=False, slots=False)
class Origins:
    """Where the values come from that the original instances read."""

    dependences: Dependences

    @cached_property
    def _by_reference(self) -> dict[str, list[isl.Map]]:
        """``{ S[i] -> origin }`` by the tag of the reading reference."""
        found: dict[str, list[isl.Map]] = {}
        for each in maps_of(self.dependences.flow_triples):
            sink = each.range_factor_domain().reverse()
            found.setdefault(_tag(sink), []).append(sink.domain_factor_domain())
        for each in maps_of(self.dependences.tagged_may_live_in):
            array = each.get_tuple_name(OUT)
            plain = each.domain_factor_domain()
            found.setdefault(_tag(each), []).append(origin_before(plain, array))
        return found

    def of(self, access: Access) -> isl.UnionMap:
        """Where a reference gets its values; what is not defined has no origin."""
        return union_map(self._by_reference.get(access.tag, []))

    def final(self, array: str) -> list[isl.Map]:
        """``{ A[x] -> origin }`` of what the array ends with, for the elements that are written."""
        found = maps_of(self.dependences.tagged_may_live_out)
        return [each.reverse() for each in found if each.get_tuple_name(OUT) == array]


def _tag(tagged: isl.Map) -> str:
    """The reference in the domain of ``{ [S[i] -> R[]] -> … }``."""
    return tagged.get_space().domain().unwrap().get_tuple_name(OUT)


def _without(needed: isl.UnionMap, got: isl.UnionMap) -> isl.UnionSet:
    """The reads that need something which they did not get.

    Where each of them needs one thing, it is enough to ask which of them have got it; isl compares
    sets of reads much faster than relations.
    """
    if not needed.is_single_valued():
        return needed.subtract(got).domain()
    served = needed.intersect(got).domain().coalesce()
    return needed.domain().coalesce().subtract(served)


@record(eq=False)
class Tracer:
    """Follows the values of moved arrays in the new text."""

    memory: Memory
    origins: Origins
    known: Variables
    copies: Mapping[str, Copy]
    moves: Mapping[str, Move]
    touched: dict[Name, isl.Set] = field(default_factory=dict[Name, isl.Set])

    # --- reads ----------------------------------------------------------------------------------

    def require_same_reads(self, moved: Iterable[str]) -> None:
        """Each reference to a moved array must get values of the right origins."""
        arrays = frozenset(moved)
        for copy in self.copies.values():
            for pair in copy.references:
                for old, new in zip(pair.old, pair.new, strict=True):
                    if old.array in arrays and not old.kills:
                        self._require_same_type(old, new)
                        if old.reads:
                            self._require_same_origin(copy, old, new)

    def _require_same_type(self, old: Access, new: Access) -> None:
        one, other = self.known.old[old.array], self.known.new[new.array]
        if plain_type(one) != plain_type(other):
            reason = f"{new.text} has another type than {one.name}"
            raise NotProved(reason, span=new.span)

    def _require_same_origin(self, copy: Copy, old: Access, new: Access) -> None:
        instances = isl.UnionMap.from_map(copy.instances)
        needed = instances.apply_range(self.origins.of(old))
        needed = needed.intersect_params(self.memory.found.possible)
        got = self.origin(self.memory.touch(copy.new, new))
        missing = _without(needed, got)
        if not missing.is_empty():
            reads = missing.apply(instances)
            witness = instance_text(isl.Set.from_union_set(reads), copy.old)
            reason = f"{new.text} in {copy.new.text} is not the value that {old.text} had"
            raise NotProved(reason, witness, new.span)

    def origin(self, read: Touch) -> isl.UnionMap:
        """``{ T[c] -> origin }``: where the values come from that an access reads."""
        found: list[isl.Map] = []
        identity = read.element.domain().identity()
        pending: dict[Name, tuple[Touch, isl.Map]] = {read.name: (read, identity)}
        for _ in range(MOST_ROUNDS):
            following: dict[Name, tuple[Touch, isl.Map]] = {}
            for at, way in pending.values():
                found += self._from_before(at, way)
                for origin, move, longer in self._steps(at, way):
                    if origin is not None:
                        found.append(origin)
                    elif move is not None:
                        known = following.get(move.name)
                        way_there = longer if known is None else known[1] | longer
                        following[move.name] = (move, way_there)
            pending = following
            if not pending:
                return union_map(found).coalesce()
        raise NotProved(f"{read.access.text} comes through too many moves", span=read.access.span)

    def _from_before(self, read: Touch, way: isl.Map) -> list[isl.Map]:
        """Values that were there before the region; a variable of the new text had none."""
        array = self.known.shared.get(read.access.array)
        rest = self.memory.sources(read).from_before
        if array is None or rest.is_empty():
            return []
        elements = way.apply_range(read.element.intersect_domain(rest))
        return [] if elements.is_empty() else [origin_before(elements, array.name)]

    def _steps(
        self, read: Touch, way: isl.Map
    ) -> Iterable[tuple[isl.Map | None, Touch | None, isl.Map]]:
        """One write further back: to an origin, or to what a move has read."""
        for (statement, tag), last in self.memory.sources(read).writes.items():
            longer = way.apply_range(last)
            if longer.is_empty():
                continue
            if statement in self.moves:
                move = self.moves[statement]
                yield None, self.memory.touch(move.new, move.read), longer
            elif statement in self.copies:
                yield longer.apply_range(self._written(statement, tag)), None, longer

    def _written(self, statement: str, tag: str) -> isl.Map:
        """``{ T[c] -> [S[i] -> R[]] }``: what a copy writes by a reference."""
        copy = self.copies[statement]
        for pair in copy.references:
            for old, new in zip(pair.old, pair.new, strict=True):
                if new.tag == tag:
                    return copy.instances.apply_range(origin_of_writes(copy.old, old))
        raise AssertionError(f"no reference of {statement} is called {tag}")

    # --- moves ----------------------------------------------------------------------------------

    def require_harmless_moves(self) -> None:
        """A move must keep its value as it is, and touch one element that is certainly there.

        Outside the region's own variables, it may write what the original program writes, and read
        what that touches for certain, or what is within the declared sizes.
        """
        for move in self.moves.values():
            one, other = (self.known.new[each.array] for each in (move.read, move.write))
            if plain_type(one) != plain_type(other):
                raise NotProved(f"{move.new.text} converts its value", span=move.new.span)
            self._require_there(move.new, move.read, writes=False)
            self._require_there(move.new, move.write, writes=True)

    def _require_there(self, statement: Statement, access: Access, *, writes: bool) -> None:
        if not access.is_exact or not access.may.is_single_valued():
            raise NotProved(f"{access.text} may be any element", span=access.span)
        array = self.known.shared.get(access.array)
        if array is None or (not writes and is_within(access, array)):
            return
        rest = access.may.set_tuple_name(OUT, array.name)
        for each in self.memory.found.old.statements:
            for other in each.accesses:
                if other.array == array.name and (other.writes or (other.reads and not writes)):
                    rest = rest.subtract_range(self._touched_for_certain(each, other))
        if not rest.is_empty():
            does = "writes" if writes else "reads"
            reason = f"{statement.text} {does} memory that the original program does not touch"
            raise NotProved(reason, span=access.span)

    def _touched_for_certain(self, statement: Statement, access: Access) -> isl.Set:
        key = statement.name, access.tag
        if key not in self.touched:
            domain = self.memory.found.domain(statement)
            self.touched[key] = access.must.intersect_domain(domain).range().coalesce()
        return self.touched[key]

    # --- what is left behind --------------------------------------------------------------------

    def require_same_end(self, moved: Iterable[str]) -> None:
        """Each element of a moved array that lives on must end with a value of the same origin."""
        homes = {array.name: name for name, array in self.known.shared.items()}
        for name in moved:
            if self.known.old[name].is_live_out:
                self._require_same_end(self.known.old[name], homes.get(name))

    def _require_same_end(self, array: Array, home: str | None) -> None:
        possible = self.memory.found.possible
        final = [each.intersect_params(possible) for each in self.origins.final(array.name)]
        written = [each.domain() for each in final if not each.is_empty()]
        if not written:
            return
        writes = self.memory.writes(home) if home is not None else ()
        good = [self._ending(each, final, array) for each in writes]
        stored = [
            each.element.intersect_domain(part).range().set_tuple_name(array.name)
            for each, part in zip(writes, good, strict=True)
        ]
        for each in written:
            if uncovered(each, stored) is not None:
                raise NotProved(f"{array.name} does not get all of its final values")
        self._require_undisturbed(writes, good, array)

    def _ending(self, write: Touch, final: Sequence[isl.Map], array: Array) -> isl.Set:
        """The instances of a write that store what the element has to end with."""
        name, tag = write.name
        if name in self.moves:
            move = self.moves[name]
            stored = self.origin(self.memory.touch(move.new, move.read))
        else:
            stored = isl.UnionMap.from_map(self._written(name, tag))
        element = write.element.set_tuple_name(OUT, array.name)
        wanted = union_map(element.apply_range(each) for each in final)
        ending = wanted.intersect(stored).domain()
        space = write.statement.domain.get_space()
        return ending.extract_set(space).intersect(write.element.domain())

    def _require_undisturbed(
        self, writes: Sequence[Touch], good: Sequence[isl.Set], array: Array
    ) -> None:
        """No write of another value may follow one of the value to end with."""
        others = [
            (each, each.element.subtract_domain(part))
            for each, part in zip(writes, good, strict=True)
        ]
        others = [(each, rest) for each, rest in others if not rest.is_empty()]
        for write, part in zip(writes, good, strict=True):
            element = write.element.intersect_domain(part)
            for other, rest in others:
                same = element.apply_range(rest.reverse())
                if same.is_empty():
                    continue
                order = self.memory.timeline.before(write.statement.name, other.statement.name)
                if not (same & order).is_empty():
                    text = other.statement.text
                    raise NotProved(f"{text} overwrites the last value of {array.name}")
