"""Where each read of the new text gets its value: the last write of the element before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import Access, Statement
from loopwright.verify.conditional_writes import with_kept_values
from loopwright.verify.failure import NotProved
from loopwright.verify.last_writes import LastWrites, Oracle, Timed
from loopwright.verify.lifetimes import Lifetime, lifetime
from loopwright.verify.matching import Correspondence
from loopwright.verify.timeline import Timeline

Name = tuple[str, str]
"""An access of the new text: its statement and its tag."""


@record(eq=False)
class Touch:
    """An access of the new text to one certain element: ``{ T[c] -> A[x] }``."""

    statement: Statement
    access: Access
    element: isl.Map

    @property
    def name(self) -> Name:
        """What tells it apart from others."""
        return self.statement.name, self.access.tag


@record(eq=False)
class Sources:
    """``{ T[c] -> U[d] }`` by write, and the reads that no write comes before."""

    writes: Mapping[Name, isl.Map]
    from_before: isl.Set


@record(eq=False, slots=False)
class Memory:
    """The accesses of the new text, by array; arrays are looked at when they are asked for."""

    found: Correspondence
    timeline: Timeline
    oracle: Oracle = field(default_factory=Oracle)
    _sources: dict[Name, Sources] = field(default_factory=dict[Name, Sources])
    _writes: dict[str, tuple[Touch, ...]] = field(default_factory=dict[str, tuple[Touch, ...]])
    _lifetimes: dict[str, Lifetime | None] = field(default_factory=dict[str, Lifetime | None])
    _insides: dict[Name, Timed] = field(default_factory=dict[Name, Timed])

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the new text; what they write under a condition, they also read."""
        return with_kept_values(self.found.new).statements

    def needed(self, array: str) -> Iterator[Touch]:
        """What needs the values of an array: reads, and writes that may leave what somebody needs.

        A write under a condition leaves the value that it finds.
        """
        pending = [
            self.touch(statement, access)
            for statement in self.found.new.statements
            for access in statement.accesses
            if access.array == array and access.reads
        ]
        known = {each.name for each in pending}
        while pending:
            each = pending.pop()
            yield each
            for name in self.sources(each).writes:
                if name in self._keeping and name not in known:
                    known.add(name)
                    pending.append(self._keeping[name])

    @cached_property
    def _keeping(self) -> dict[Name, Touch]:
        """The writes under a condition."""
        return {
            (statement.name, access.tag): Touch(statement, access, access.may)
            for statement in self.statements
            for access in statement.accesses
            if access.writes and access.reads
        }

    def touch(self, statement: Statement, access: Access) -> Touch:
        """An access that is to one certain element."""
        if not access.may.is_single_valued():
            raise NotProved(f"{access.text} may be any element", span=access.span)
        return Touch(statement, access, access.may)

    def writes(self, array: str) -> tuple[Touch, ...]:
        """What certainly overwrites elements of an array; where it is declared, all of them."""
        if array not in self._writes:
            self._writes[array] = tuple(self._find_writes(array))
        return self._writes[array]

    def _find_writes(self, array: str) -> Sequence[Touch]:
        found: list[Touch] = []
        for statement in self.statements:
            for access in statement.accesses:
                if access.array != array or not (access.writes or access.kills):
                    continue
                if access.writes and not access.is_exact:
                    raise NotProved(f"{access.text} may not be written", span=access.span)
                if access.writes and not access.must.is_single_valued():
                    raise NotProved(f"{access.text} may be any element", span=access.span)
                if not statement.domain.is_empty():
                    found.append(Touch(statement, access, access.must))
        return found

    def sources(self, read: Touch) -> Sources:
        """Where the values of a read come from."""
        if read.name not in self._sources:
            self._sources[read.name] = self._find_sources(read)
        return self._sources[read.name]

    def _find_sources(self, read: Touch) -> Sources:
        writes = self.writes(read.access.array)
        found = self._last_writes(read, writes)
        if not found.is_certain:
            what = f"{read.access.text} in {read.statement.text}"
            raise NotProved(f"cannot tell which value {what} gets", span=read.access.span)
        pairs = zip(writes, found.writes, strict=True)
        by_name = {write.name: last for write, last in pairs if not last.is_empty()}
        return Sources(by_name, found.from_before)

    def _last_writes(self, read: Touch, writes: Sequence[Touch]) -> LastWrites:
        """Of a variable with a lifetime, one iteration of the loops around it tells all."""
        asked, given = self._timed(read), [self._timed(each) for each in writes]
        lived = self._lifetime(read.access.array)
        if lived is None:
            return self.oracle.last_writes(asked, given)
        inside = [self._inside(each, lived) for each in writes]
        answer = self.oracle.last_writes(self._inside(read, lived), inside)
        return lived.outside(answer, asked, given)

    def _inside(self, touch: Touch, lived: Lifetime) -> Timed:
        if touch.name not in self._insides:
            self._insides[touch.name] = lived.inside(self._timed(touch))
        return self._insides[touch.name]

    def _lifetime(self, array: str) -> Lifetime | None:
        if array not in self._lifetimes:
            self._lifetimes[array] = self._find_lifetime(array)
        return self._lifetimes[array]

    def _find_lifetime(self, array: str) -> Lifetime | None:
        """From the first declaration on, if all accesses come after it."""
        touches = [
            Touch(statement, access, access.must if access.kills else access.may)
            for statement in self.statements
            for access in statement.accesses
            if access.array == array and not statement.domain.is_empty()
        ]
        kills = [each for each in touches if each.access.kills and each.statement.is_kill]
        if not kills:
            return None
        timed = [self._timed(each) for each in touches]
        return lifetime(kills[0].statement, kills[0].element, timed)

    def _timed(self, touch: Touch) -> Timed:
        return Timed(touch.element, self.timeline.times(touch.statement.name))
