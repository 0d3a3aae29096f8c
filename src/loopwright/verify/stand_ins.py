"""Local variables that stand for elements of an array: registers and packed tiles.

Think of the new text with every such variable replaced by the element that the original instance
would touch, and without the moves.  All accesses to the array are then the original ones, so that
it computes the same if they keep their order.  The new text itself does, too, if each variable
holds what its element would hold whenever it is read, and the array is up to date whenever it is
read itself:

- what is read from a variable was put there for the same element, by a load of it or by a statement
  that computes it, and no statement has given the element another value since;
- what a statement computes into a variable is stored, or computed on, before anybody reads the
  element from the array.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import Access, Array, Statement
from loopwright.verify.failure import NotProved
from loopwright.verify.matching import Copy, Move
from loopwright.verify.one_to_one import uncovered
from loopwright.verify.references import Variables, is_same_element, plain_type
from loopwright.verify.sources import Memory, Name, Touch
from loopwright.verify.timeline import are_together, may_run_between, within

OUT = isl.dim_type.out


@record(eq=False)
class _Use:
    """A statement of the new text that touches an element, in place or by what stands for it."""

    statement: Statement
    element: isl.Map


@record(eq=False)
class _Read(_Use):
    """A read of a variable; ``hands_on`` if the value, or a new one, then goes to the element."""

    touch: Touch
    hands_on: bool


@record(eq=False)
class _Array:
    """All that the new text does to one original array."""

    name: str
    computed: Sequence[_Use]
    """By copies that write the element, wherever they put the value."""
    in_place: Sequence[_Use]
    """By reads of the array itself."""
    reads: Sequence[_Read]
    origins: Mapping[Name, isl.Map]
    """The elements of what is put into variables: by loads, and by copies."""
    computing: frozenset[Name]
    """Which of those are copies."""


@record(eq=False)
class StandIns:
    """Shows that the variables that stand for elements of an array are faithful."""

    memory: Memory
    known: Variables
    copies: Mapping[str, Copy]
    moves: Mapping[str, Move]

    def require_faithful(self, name: str) -> None:
        """Show it for one array whose accesses, seen as original ones, keep their order."""
        array = self._array(self.known.old[name])
        stored: dict[Name, list[isl.Set]] = {each: [] for each in array.computing}
        for read in array.reads:
            sources = self.memory.sources(read.touch)
            if not sources.from_before.is_empty():
                raise _unknown(read)
            for source, last in sources.writes.items():
                self._require_same_element(array, read, source, last)
                self._require_undisturbed(array.computed, read, source, last)
                if read.hands_on and source in stored:
                    self._require_undisturbed(array.in_place, read, source, last, at_once=True)
                    stored[source].append(last.range())
        for (statement, _), parts in stored.items():
            whole = self.copies[statement].new.domain
            if uncovered(whole, parts) is not None:
                new = self.copies[statement].new
                raise NotProved(f"{name} does not get the value of {new.text}", span=new.span)

    # --- what is done to an array ---------------------------------------------------------------

    def _array(self, array: Array) -> _Array:
        computed: list[_Use] = []
        in_place: list[_Use] = []
        reads: list[_Read] = []
        origins: dict[Name, isl.Map] = {}
        computing: set[Name] = set()
        for copy in self.copies.values():
            own = [
                (old, new)
                for pair in copy.references
                for old, new in zip(pair.old, pair.new, strict=True)
                if old.array == array.name
            ]
            writes = any(old.writes for old, _ in own)
            for old, new in own:
                element = copy.instances.apply_range(old.may)
                use = _Use(copy.new, element)
                if old.writes:
                    computed.append(use)
                if self._is_in_place(copy, old, new):
                    in_place += [use] if old.reads else []
                    continue
                self._require_same_type(array, new)
                if old.writes:
                    origins[copy.new.name, new.tag] = element
                    computing.add((copy.new.name, new.tag))
                if old.reads:
                    same = writes and _writes_there(own, copy, element)
                    touch = self.memory.touch(copy.new, new)
                    reads.append(_Read(copy.new, element, touch, same))
        for move in self.moves.values():
            self._add_move(move, array, in_place, reads, origins)
        self._add_passed_on(reads, origins)
        return _Array(array.name, computed, in_place, reads, origins, frozenset(computing))

    def _is_in_place(self, copy: Copy, old: Access, new: Access) -> bool:
        """Is the reference still to the array, and then to the same element?"""
        if self.known.new[new.array].is_local:
            return False
        if not self.known.is_same(old, new) or not is_same_element(old, new, copy, self.known):
            raise NotProved(f"{new.text} in {copy.new.text} is not {old.text}", span=new.span)
        return True

    def _require_same_type(self, array: Array, new: Access) -> None:
        other = self.known.new[new.array]
        if plain_type(array) != plain_type(other):
            reason = f"{new.text} has another type than {array.name}"
            raise NotProved(reason, span=new.span)

    def _add_move(
        self,
        move: Move,
        array: Array,
        in_place: list[_Use],
        reads: list[_Read],
        origins: dict[Name, isl.Map],
    ) -> None:
        """A load from the array, a store to it, or something about other variables."""
        source, target = (self.known.shared.get(each.array) for each in (move.read, move.write))
        if array not in (source, target):
            return
        if source is not None and target is not None:
            raise NotProved(f"{move.new.text} moves from array to array", span=move.new.span)
        if source is not None:
            element = _named(move.read, array)
            in_place.append(_Use(move.new, element))
            origins[move.new.name, move.write.tag] = element
        else:
            touch = self.memory.touch(move.new, move.read)
            reads.append(_Read(move.new, _named(move.write, array), touch, True))

    def _add_passed_on(self, reads: list[_Read], origins: dict[Name, isl.Map]) -> None:
        """Moves from one variable to another: the second then stands for what the first does."""
        shared = self.known.shared.keys()
        pending = [
            each
            for each in self.moves.values()
            if shared.isdisjoint((each.read.array, each.write.array))
        ]
        while True:
            found = {each.new.name: self._passed_on(each, origins) for each in pending}
            ready = [each for each in pending if found[each.new.name] is not None]
            for each in ready:
                element = found[each.new.name]
                assert element is not None
                touch = self.memory.touch(each.new, each.read)
                reads.append(_Read(each.new, element, touch, False))
                origins[each.new.name, each.write.tag] = element
            if not ready:
                return
            pending = [each for each in pending if each not in ready]

    def _passed_on(self, move: Move, origins: Mapping[Name, isl.Map]) -> isl.Map | None:
        """The elements whose values a move passes on, if all of those are known."""
        sources = self.memory.sources(self.memory.touch(move.new, move.read)).writes
        if not sources or not origins.keys() >= sources.keys():
            return None
        elements = [last.apply_range(origins[name]) for name, last in sources.items()]
        return reduce(isl.Map.union, elements)

    # --- what is to be shown --------------------------------------------------------------------

    def _require_same_element(
        self, array: _Array, read: _Read, source: Name, last: isl.Map
    ) -> None:
        """What was put into the variable was meant for the element that it stands for."""
        origin = array.origins.get(source)
        if origin is None:
            raise _unknown(read)
        # Conditions in several pieces multiply on the way, and most of the pieces are the same.
        wanted = read.element.intersect_domain(last.domain()).coalesce()
        if not wanted.is_subset(last.apply_range(origin).coalesce()):
            text = read.touch.access.text
            raise NotProved(
                f"{text} in {read.statement.text} stands for another element of {array.name}",
                span=read.touch.access.span,
            )

    def _require_undisturbed(
        self,
        uses: Sequence[_Use],
        read: _Read,
        source: Name,
        last: isl.Map,
        *,
        at_once: bool = False,
    ) -> None:
        """Nobody uses the element in this way between the source and the read, or ``at_once``.

        An instance that reads the element itself beside what stands for it reads an old value.
        """
        if not uses:
            return
        timeline = self.memory.timeline
        begins, ends = timeline.times(source[0]), timeline.times(read.statement.name)
        together = are_together(last, ends, begins)
        element = read.element.intersect_domain(last.domain())
        for use in uses:
            when = timeline.times(use.statement.name)
            if not may_run_between(when, begins, ends, together):
                continue
            same = within(element.apply_range(use.element.reverse()), ends, when, together)
            if same.is_empty():
                continue
            earlier = same & timeline.before(use.statement.name, read.statement.name).reverse()
            if at_once and use.statement.name == read.statement.name:
                earlier = earlier | (same & isl.Map.identity(same.get_space()))
            if earlier.is_empty():
                continue
            later = timeline.before(source[0], use.statement.name).wrap()
            if not last.range_product(earlier).intersect_range(later).is_empty():
                text = read.touch.access.text
                raise NotProved(
                    f"{use.statement.text} comes between {text} and the element that it stands for",
                    span=use.statement.span,
                )


def _writes_there(own: Sequence[tuple[Access, Access]], copy: Copy, element: isl.Map) -> bool:
    """Does the copy also write the element?"""
    return any(
        old.writes and element.is_equal(copy.instances.apply_range(old.may)) for old, _ in own
    )


def _named(access: Access, array: Array) -> isl.Map:
    return access.may.set_tuple_name(OUT, array.name)


def _unknown(read: _Read) -> NotProved:
    access = read.touch.access
    return NotProved(f"{access.text} in {read.statement.text} has no value", span=access.span)
