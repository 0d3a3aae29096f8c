"""From the best version of each region to the simplest: the first with a proof is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from time import monotonic
from typing import assert_never

from loopwright.apart import Apart, Broke, fate_apart
from loopwright.basics.records import record
from loopwright.choosing import TimeIsUp, Wanted, shared_time
from loopwright.fates import (
    NO_MEMORY,
    Broken,
    Fate,
    LeftAlone,
    OutOfTime,
    Refused,
    Rewritten,
    Rung,
    Unproved,
)
from loopwright.model.proofs import Proof, Rewriting, Unknown, Verdict, hint_from_loops
from loopwright.proving import Prover

FEWER_OPERATIONS = 3_000_000
"""For a proof where there is something simpler to try: some three seconds."""

SIMPLER = (6, 1)
"""How often statements may be written out where a proof of more copies takes too long."""


def simpler(wanted: Wanted) -> Iterator[Wanted]:
    """What to try where there is no proof, one after the other; a given order stays."""
    if wanted.chooser is not None:
        return
    if wanted.reassociates:
        wanted = replace(wanted, reassociates=False)
        yield wanted
    yield replace(wanted, most_copies=SIMPLER[0])
    wanted = replace(wanted, expands=False)
    for copies in (wanted.most_copies, *SIMPLER):
        yield replace(wanted, most_copies=copies)
    plain = replace(wanted, most_copies=1, packs=False)
    yield plain
    yield replace(plain, keeps_order=True)


def is_simpler(new: Wanted, old: Wanted, region: Rewritten) -> bool:
    """Would a region become simpler, compared with what was wanted for it?"""
    return (
        (bool(region.copied) and not new.expands)
        or new.reassociates != old.reassociates
        or new.most_copies < old.most_copies
        or new.packs != old.packs
        or new.keeps_order != old.keeps_order
    )


@record(eq=False)
class _Climber:
    """A region on the ladder: what is wanted of it now, what comes next, what was given up."""

    wanted: Wanted
    ways: Iterator[Wanted]
    lost: tuple[Rung, ...] = ()


Making = Callable[[int, Wanted], Fate]
"""A region in the way that is wanted."""
Writing = Callable[[Sequence[Fate]], Rewriting]
"""The program with the new texts of some regions."""


@record(eq=False)
class Ladder:
    """How the regions of a program get their proofs."""

    prover: Prover
    wanted: Wanted
    make: Making
    write: Writing
    apart: Apart
    beginning: Callable[[int], None]
    climbers: dict[int, _Climber] = field(default_factory=dict[int, _Climber])

    def proved(self, fates: Sequence[Fate]) -> list[Fate]:
        """The regions with their proofs; what is too complex to prove becomes simpler, or stays."""
        found = list(fates)
        for at, each in enumerate(found):
            if isinstance(each, Rewritten):
                own = self.wanted.of(at)
                self.climbers[at] = _Climber(own, simpler(own))
        pending = sorted(self.climbers)
        while pending:
            new, refused = self._program(found, pending)
            for position, at in enumerate(pending):
                region = found[at]
                assert isinstance(region, Rewritten)
                self.beginning(at)
                until = shared_time(self.wanted.deadline, len(pending) - position)
                found[at] = self._step(at, region, new, refused.get(at), until)
            pending = [at for at in pending if is_unproved(found[at])]
        return found

    def _program(
        self, found: list[Fate], pending: Sequence[int]
    ) -> tuple[Rewriting, dict[int, Unknown]]:
        """The new program, and why some regions keep it from being one; it is without them."""
        new = self.write(found)
        problem = self.prover.problem(new)
        if problem is None:
            return new, {}
        alone = {at: self.prover.problem(self.write([found[at]])) for at in pending}
        guilty = {at: each for at, each in alone.items() if each is not None}
        if not guilty:
            return new, dict.fromkeys(pending, problem)
        return self.write([each for at, each in enumerate(found) if at not in guilty]), guilty

    def _step(
        self,
        at: int,
        region: Rewritten,
        new: Rewriting,
        refused: Unknown | None,
        until: float | None,
    ) -> Fate:
        """A region with its proof, or on the next rung, or where it stays."""
        started = monotonic()
        scop = region.scop
        try:
            self.wanted.require_time()
            verdict = refused or self._verdict(at, region, new, until)
            if isinstance(verdict, Unknown):
                self.wanted.require_time()
        except TimeIsUp:
            return OutOfTime(scop)
        except MemoryError:
            return OutOfTime(scop, NO_MEMORY)
        except Broke as broke:
            return Broken(scop, broke.failure)
        if isinstance(verdict, Proof):
            lost = self.climbers[at].lost
            seconds = monotonic() - started
            return replace(region, proof=verdict, proof_seconds=seconds, lost=lost)
        return self._next(at, region, verdict, until)

    def _verdict(self, at: int, region: Rewritten, new: Rewriting, until: float | None) -> Verdict:
        """Is the new text of a region the same program?"""
        hint = hint_from_loops(region.loops)
        operations = FEWER_OPERATIONS if region.copied else None
        reassociates = self.climbers[at].wanted.reassociates

        def judge() -> Verdict:
            return self.prover.verdict(
                at, new, hint, region.found, reassociates=reassociates, operations=operations
            )

        return self.apart(region.scop, until, judge)

    def _next(self, at: int, region: Rewritten, verdict: Unknown, until: float | None) -> Fate:
        """A region in the next simpler way that has another text, if there is one."""
        climber = self.climbers[at]
        climber = replace(climber, lost=(*climber.lost, Rung(region.gain, verdict)))
        for way in climber.ways:
            if not is_simpler(way, climber.wanted, region):
                continue
            climber = replace(climber, wanted=way)
            making = replace(way, deadline=until)
            other = fate_apart(self.apart, region.scop, until, partial(self.make, at, making))
            match other:
                case Rewritten():
                    if other.text == region.text:
                        continue
                    self.climbers[at] = climber
                    return other
                case OutOfTime() | Broken():
                    return other
                case LeftAlone() | Refused() | Unproved():
                    break
                case _:
                    assert_never(other)
        return Unproved(region.scop, climber.lost, region.found)


def is_unproved(region: Fate) -> bool:
    """Has it new text of which nobody knows whether it is right?"""
    return isinstance(region, Rewritten) and region.proof is None
