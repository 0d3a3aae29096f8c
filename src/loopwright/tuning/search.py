"""The search: waves of candidates, each thinned out by races, around the best one so far.

The model says which orders come first.  A wave of them is made, proved and checked; then all that
is left is timed a little, the better third of it more, and so on (successive halving).  Waves of
orders take turns with waves of neighbours of the best versions; where there are several regions,
they have their turns one after the other, the others as good as they are known to be.  In the end
the original, what ``optimize`` makes and the best versions are timed until it is clear which one to
take.  Everything is a function of what the ledger knows, but for when the time is over; and that
is written into the ledger, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from time import monotonic

from loopwright.basics.records import record
from loopwright.tuning.candidates import OPTIMIZE, ORIGINAL, Candidate, Choice
from loopwright.tuning.decisions import Decision, decided, is_faster, unbeaten
from loopwright.tuning.refinement import alternatives
from loopwright.tuning.tries import Lap, Tries
from loopwright.tuning.versions import Failure

WAVE = 8
"""So many candidates are tried together, or twice as many as there are workers."""
FIRST_ROUNDS, MOST_ROUNDS = 2, 8
KEPT = 3
"""One of so many goes on to the next rung."""
MAKING_SHARE = 0.6
"""Of the time that a region has left: for one wave to be made; the rest is for its races."""
FLAGS_SHARE = 0.1
CLOSE = 1.1
"""Times as long as the best: more rounds may show it to be better."""
BASES = 3
"""The neighbours of so many versions are tried."""
FINALISTS = 3
FINAL_ROUNDS, MOST_FINAL_ROUNDS = 4, 24
FINAL_SHARE, MOST_FINAL_SHARE = 0.15, 0.35
ASKING_SECONDS = 20.0


@record
class Progress:
    """How far a search has come: the phase, how many were tried, and the best so far."""

    phase: str
    tried: int
    best: str
    gain: float
    left: float
    """Seconds."""


@record
class Limits:
    """When a search ends: at a time of :func:`time.monotonic`, or after so many candidates."""

    end: float
    most: int | None = None


@record
class Found:
    """What a search has found; gains are those of the best one."""

    best: Candidate
    gain: float
    over_optimize: float


class Search:
    """The search for the best version of a function."""

    def __init__(
        self,
        tries: Tries,
        limits: Limits,
        tell: Callable[[Progress], None],
        earlier: Found | None = None,
    ) -> None:
        """Begin with the original; what an ``earlier`` session has taken comes in at the end."""
        self.tries, self.limits, self.tell, self.earlier = tries, limits, tell, earlier
        self.best = tries.original
        self.seconds: dict[str, float] = {self.best.key: min(tries.survey.baseline.times)}
        """Of each version that was timed, on the scale of the original's baseline."""
        self.versions: dict[str, Candidate] = {self.best.key: self.best}
        self.finals: dict[str, list[float]] = {}
        self._disqualified: set[str] = set()
        self._neighbours: dict[tuple[int, Choice], list[Choice]] = {}
        self._phase = "begin"
        left = limits.end - monotonic()
        races = FINAL_ROUNDS * (FINALISTS + 2) * tries.survey.baseline.process
        self.final = limits.end - min(MOST_FINAL_SHARE * left, max(FINAL_SHARE * left, races))

    def run(self) -> Found:
        """Search until the time is over, or there is nothing left to try."""
        self._begin()
        regions = self.tries.problem.regions
        walk = self.final - FLAGS_SHARE * (self.final - monotonic())
        for at, region in enumerate(regions):
            left = walk - monotonic()
            self._region(region, monotonic() + left / (len(regions) - at))
        self._flags(self.final)
        self._finals()
        return self.so_far()

    def so_far(self) -> Found:
        """The best as far as it is known now."""
        self._recall()
        best = self.tries.original if self.best.key in self._disqualified else self.best
        if self.is_decided:
            best = self.versions[self._decision().key]
        own = self._time(best)
        return Found(best, self._time(self.tries.original) / own, self._time(self._optimize) / own)

    @property
    def is_complete(self) -> bool:
        """Was there time for the least: to compare what ``optimize`` makes with the original?"""
        trial = self.tries.ledger.made(self.tries.optimize.key)
        is_known = trial is not None and not trial.is_late
        return is_known and (self.is_decided or not self.finals_are_needed)

    @property
    def is_decided(self) -> bool:
        """Were those that have to be compared in a final race to its end?"""
        wanted = {each.key for each in (self.tries.original, self._optimize, *self._taken_before)}
        return wanted - self._disqualified <= self.finals.keys()

    @property
    def finals_are_needed(self) -> bool:
        """Is there anything but the original?"""
        return len(self.versions) > 1

    @property
    def _optimize(self) -> Candidate:
        """The version that ``optimize`` makes; it may be the original."""
        return self.tries.version_of(self.tries.optimize) or self.tries.original

    @property
    def _taken_before(self) -> list[Candidate]:
        """The version that an earlier session has taken, if it can still be had."""
        version = self.tries.version_of(self.earlier.best) if self.earlier is not None else None
        return [] if version is None else [version]

    def _recall(self) -> None:
        """What an earlier session has taken is known, even if this one went another way.

        It comes in only now: from the beginning, it would lead the search away from what is known.
        """
        if self.earlier is None or self.tries.ledger.made(self.earlier.best.key) is None:
            return
        self.tries.prepare([self.earlier.best], self.limits.end)
        for each in self._taken_before:
            self.versions[each.key] = each
            own = self.seconds[self.tries.original.key] / self.earlier.gain
            if self.seconds.setdefault(each.key, own) < self.seconds[self.best.key]:
                self.best = each

    def _time(self, version: Candidate) -> float:
        """The best time, on the scale of the last race that it was in."""
        if self.is_decided and version.key in self.finals:
            return min(self.finals[version.key])
        return self.seconds.get(version.key, self.seconds[self.tries.original.key])

    # --- phases ---

    def _begin(self) -> None:
        """The original, what ``optimize`` makes, and some orders if there is only one region.

        Nothing else is made before what ``optimize`` makes: that is the one to beat.
        """
        self._enter("beginning")
        tries = self.tries
        first = self._allowed([tries.original, tries.optimize])
        tries.prepare(first, self.final)
        wanted = list[Candidate]()
        if len(tries.problem.regions) == 1:
            (region,) = tries.problem.regions
            some = islice(self._orders(region), 2 * tries.workers.width)
            wanted = self._allowed([tries.original.choosing(region, each) for each in some])
        end = monotonic() + MAKING_SHARE * max(0.0, self.final - monotonic())
        self._thinned([*first, *wanted], end, self.final)

    def _region(self, region: int, end: float) -> None:
        """Waves of orders and of neighbours take turns, until there are none."""
        self._enter(
            f"orders of region {region + 1}" if len(self.tries.problem.regions) > 1 else "orders"
        )
        orders = self._orders(region)
        is_over = False
        while not is_over and monotonic() < end:
            wave = list(islice(orders, self._wave_size))
            is_over = self._wave(region, wave, end)
            near = [] if is_over else self._near(region)
            is_over = is_over or self._wave(region, near, end)
            if not wave and not near:
                return

    def _orders(self, region: int) -> Iterator[Choice]:
        if len(self.tries.problem.regions) > 1:
            yield from (Choice(ORIGINAL), Choice(OPTIMIZE))
        yield from dict(self.tries.survey.orders)[region]

    def _wave(self, region: int, choices: Sequence[Choice], end: float) -> bool:
        """Try some choices for a region; is its time over?"""
        wanted = self._allowed([self.best.choosing(region, each) for each in choices])
        if not wanted:
            return len(choices) > 0 and self._is_full
        now = monotonic()
        return self._thinned(wanted, now + MAKING_SHARE * max(0.0, end - now), end)

    def _flags(self, end: float) -> None:
        """Flags for the best version, one at a time, and what was best together with the others."""
        self._enter("flags")
        while True:
            before, own = self.best, self.best.flags
            more = [each for each in self.tries.survey.flags if each not in own]
            wanted = self._allowed([_with_flags(before, (*own, each)) for each in more])
            making_end = monotonic() + MAKING_SHARE * max(0.0, end - monotonic())
            if not wanted or self._thinned(wanted, making_end, end) or self.best == before:
                return

    def _finals(self) -> None:
        """Race until it is clear which version to take; what is out is not run again."""
        self._enter("final race")
        self._recall()
        left: dict[str, Candidate] = {}
        known = (self.tries.original, self._optimize, *self._taken_before, self.best)
        for each in (*known, *self._standing()):
            if len(left) < FINALISTS + 2:
                left.setdefault(each.key, each)
        end = self.limits.end
        while len(left) > 1 and monotonic() < end:
            best, *others = sorted(left.values(), key=lambda each: each != self.best)
            laps = self.tries.race(best, others, FINAL_ROUNDS, end, is_final=True)
            for key, lap in laps.items():
                self.finals.setdefault(key, []).extend(lap.times)
            if monotonic() < end:
                self._disqualify([each for each in left.values() if each.key not in laps])
            done = max(map(len, self.finals.values()), default=0)
            if not laps or done >= MOST_FINAL_ROUNDS or self._is_sure:
                return
            left = {key: left[key] for key in unbeaten(self.finals) if key in left}
            self._tell()

    def _disqualify(self, failed: Sequence[Candidate]) -> None:
        """What crashes now and then is not taken, however fast it is; the original may be."""
        for each in failed:
            if each != self.tries.original:
                self.finals.pop(each.key, None)
                self._disqualified.add(each.key)

    @property
    def _is_sure(self) -> bool:
        return self.is_decided and self._decision().is_sure

    def _decision(self) -> Decision:
        """The simplest of the finalists that no other one beats.

        That is not the original if what ``optimize`` makes has clearly beaten it in some race and
        never lost: while the final race goes on, the machine may be in a state in which both are as
        fast, as where the cores are far from each other for a while.
        """
        usual, other = self.tries.original.key, self._optimize.key
        races = list(self.tries.ledger.side_by_side(other, usual))
        has_won = any(is_faster(new, old) for new, old in races)
        has_lost = any(is_faster(old, new) for new, old in races)
        pair = [other, usual] if has_won and not has_lost else [usual, other]
        first = list(dict.fromkeys(pair))
        others = [key for key in self.finals if key not in first]
        others.sort(key=lambda key: min(self.finals[key]))
        return decided(self.finals, [*first, *others])

    # --- a wave ---

    @property
    def _wave_size(self) -> int:
        return max(WAVE, 2 * self.tries.workers.width)

    def _allowed(self, wanted: Sequence[Candidate]) -> list[Candidate]:
        """Those that were not asked for yet, as many as there may be."""
        new = [each for each in dict.fromkeys(wanted) if each.key not in self.tries.asked]
        most = self.limits.most
        return new if most is None else new[: max(0, most - len(self.tries.asked))]

    @property
    def _is_full(self) -> bool:
        return self.limits.most is not None and len(self.tries.asked) >= self.limits.most

    def _thinned(self, wanted: Sequence[Candidate], making_end: float, end: float) -> bool:
        """Make candidates, and time those that are good longer and longer; is the time over?"""
        prepared = self.tries.prepare(wanted, making_end)
        self._tell()
        left = [each for each in prepared.versions if each.key not in self.seconds]
        self.versions |= {each.key: each for each in left}
        rounds = FIRST_ROUNDS
        while left and rounds <= MOST_ROUNDS and monotonic() < end:
            left = self._kept(left, self.tries.race(self.best, left, rounds, end))
            rounds *= 2
            self._tell()
        return prepared.is_over

    def _kept(self, raced: Sequence[Candidate], laps: dict[str, Lap]) -> list[Candidate]:
        """Note the times: those that are about as good as the best go on, at most a third.

        One that was the best until now has to be beaten twice.
        """
        before, scale = self.best, self.seconds[self.best.key]
        timed = [each for each in raced if each.key in laps]
        self.seconds |= {each.key: scale * laps[each.key].ratio for each in timed}
        timed.sort(key=lambda each: self.seconds[each.key])
        kept = timed[: -(-len(raced) // KEPT)]
        if kept and self.seconds[kept[0].key] < scale:
            self.best = kept[0]
            kept = [before, *kept[1:]]
        limit = CLOSE * self.seconds[self.best.key]
        return [each for each in kept if self.seconds[each.key] < limit]

    def _standing(self) -> list[Candidate]:
        """All versions that were timed, the fastest first."""
        found = sorted(self.seconds, key=lambda key: (self.seconds[key], key))
        return [self.versions[key] for key in found]

    def _near(self, region: int) -> list[Choice]:
        """Untried neighbours of the best version that has some."""
        asked = self.tries.asked
        for base in list(self._bases(region))[:BASES]:
            others = self._neighbours_of(region, base)
            new = [each for each in others if self.best.choosing(region, each).key not in asked]
            if new:
                return new[: self._wave_size]
        return []

    def _bases(self, region: int) -> Iterator[Choice]:
        """The choices for a region, with orders of their own, of the best versions."""
        seen: set[Choice] = set()
        for version in self._standing():
            for twin in self.tries.twins(version):
                choice = twin.choice(region)
                if choice.is_named and not twin.flags and choice not in seen:
                    seen.add(choice)
                    yield choice
                    break

    def _neighbours_of(self, region: int, choice: Choice) -> list[Choice]:
        if (region, choice) not in self._neighbours:
            step = partial(alternatives, self.tries.problem, region, choice)
            for _, found in self.tries.workers.executor.run([step], ASKING_SECONDS):
                self._neighbours[region, choice] = [] if isinstance(found, Failure) else found
        return self._neighbours[region, choice]

    # --- telling ---

    def _enter(self, phase: str) -> None:
        self._phase = phase
        self._tell()

    def _tell(self) -> None:
        best = self.best
        gain = self.seconds[self.tries.original.key] / self.seconds[best.key]
        left = max(0.0, self.limits.end - monotonic())
        self.tell(Progress(self._phase, self.tries.ledger.tried, best.label, gain, left))


def _with_flags(candidate: Candidate, flags: tuple[str, ...]) -> Candidate:
    return Candidate(candidate.choices, tuple(sorted(flags)))
