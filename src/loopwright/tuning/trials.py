"""The steps of a trial: what the original computes, whether a version does so, and how fast.

Each step is a function of plain values and of a folder that steps of one worker share, so that it
can run in any process.  A version is timed beside others in one step, all taking turns, so that
whatever disturbs the machine disturbs all of them.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from math import ceil
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

from loopwright.basics.records import record
from loopwright.fates import TOO_LATE
from loopwright.tuning.decisions import LEAST_ROUNDS, LONG, unbeaten
from loopwright.tuning.driven import NO_CONTRACTION
from loopwright.tuning.problems import Problem
from loopwright.tuning.running import (
    ODD_SIZE,
    RUN_SECONDS,
    UNSTEADY,
    Runnable,
    Running,
    first_unlike,
)
from loopwright.tuning.toolchain import CannotRun
from loopwright.tuning.versions import Failure

LONG_ENOUGH = 0.1
"""Seconds that the calls of one process should take together."""
TOO_LONG = 0.3
"""Seconds: with all that is around short calls, a process should take no more than that."""
FEWEST_CALLS, MOST_CALLS = 2, 500
LONG_CALL = LONG
"""Seconds: whatever is cold when a call begins matters no more, and one call is enough."""
STARTING = 0.1
"""Seconds that it takes to start and to end a process, at most."""
MUCH_SLOWER = 10.0
"""A version that takes so many times as long as the first one is not waited for."""
MARGIN = 1.0
"""Seconds that a process may take beyond that."""

Sizes = tuple[tuple[str, int], ...]
Sums = tuple[tuple[str, str], ...]


@record
class Baseline:
    """What the original computes, for small odd sizes and for real ones, and its times at these."""

    odd: Sizes
    real: Sizes
    odd_sums: Sums
    real_sums: Sums
    times: tuple[float, ...]
    seconds: float = 0.0
    """What a process takes that makes these calls, with all that is around them."""

    @property
    def around(self) -> float:
        """Of these seconds, what goes with each call."""
        return max(0.0, self.seconds - sum(self.times)) / max(1, len(self.times))

    @property
    def process(self) -> float:
        """The seconds that a process of a race takes."""
        own = min(self.times)
        return STARTING + calls_for(own, self.around) * (own + self.around)

    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def baseline_from(document: Mapping[str, Any]) -> Baseline:
    """The baseline that a document describes.

    >>> import json
    >>> known = Baseline((("n", 19),), (("n", 90),), (("A", "1"),), (("A", "2"),), (0.5, 0.25))
    >>> baseline_from(json.loads(json.dumps(known.document()))) == known
    True
    """
    pairs = ("odd", "real", "odd_sums", "real_sums")
    values = {name: tuple((key, value) for key, value in document[name]) for name in pairs}
    return Baseline(**values, times=tuple(document["times"]), seconds=document["seconds"])


def calls_for(seconds: float, around: float = 0.0) -> int:
    """How many calls a process makes, so that together they are long enough to compare.

    The first one meets a cold machine and does not count where others are faster.  Each takes
    some seconds, and some more are spent ``around`` it, with filling arrays above all.

    >>> calls_for(0.001), calls_for(0.03), calls_for(0.3), calls_for(3.0)
    (100, 4, 2, 1)
    >>> calls_for(0.001, around=0.01)
    28
    """
    if seconds > LONG_CALL:
        return 1
    wanted = min(LONG_ENOUGH / max(seconds, 1e-9), TOO_LONG / max(seconds + around, 1e-9))
    return min(MOST_CALLS, max(FEWEST_CALLS, ceil(wanted)))


@record
class Contender:
    """A version that is timed."""

    key: str
    content: bytes
    flags: tuple[str, ...] = ()
    is_awaited: bool = False
    """Is its time wanted even if it is much slower than the others?"""
    known: float | None = None
    """Its time, where it takes so long that the first round is to do without it."""

    @property
    def digest(self) -> str:
        """The same for the same text with the same flags."""
        whole = self.content + b"\0" + "\0".join(self.flags).encode()
        return hashlib.sha256(whole).hexdigest()[:32]


@record
class Effort:
    """How much is done for a comparison: so many rounds, until so many seconds are over.

    Where ``doubts`` count, a version is out when another one is faster beyond doubt; else as soon
    as it is not likely to be the best.
    """

    rounds: int
    seconds: float = 600.0
    doubts: bool = False


@record
class Timed:
    """The times of a version, or why there are none."""

    key: str
    times: tuple[float, ...] = ()
    reason: str = ""


# --- programs -------------------------------------------------------------------------------------


@record(eq=False)
class _Workshop:
    """A folder of its own for a step, and one for programs, which steps share."""

    runnable: Runnable
    scratch: Path
    programs: Path

    def program(self, content: bytes, flags: Sequence[str]) -> Path:
        """The program of a text, compiled unless another step has done that."""
        whole = hashlib.sha256(content + b"\0" + "\0".join(flags).encode())
        program = self.programs / whole.hexdigest()[:32]
        if not program.exists():
            new = self.runnable.compiled(content, whole.hexdigest()[:8], *flags)
            os.replace(new, program)
        return program


@contextmanager
def _workshop(problem: Problem, folder: Path) -> Generator[_Workshop]:
    programs = folder / f"programs-{problem.digest[:32]}"
    programs.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        yield _Workshop(problem.runnable().placed(Path(scratch)), Path(scratch), programs)


# --- the original ---------------------------------------------------------------------------------


def baseline(problem: Problem, seconds: float, folder: Path) -> Baseline | Failure:
    """What the original computes and how long it takes; no run of it may take more than that."""
    how = Running(f"the old {problem.function}", min(RUN_SECONDS, seconds), problem.threads)
    with _workshop(problem, folder) as workshop:
        runnable, content = workshop.runnable, problem.source.content
        fast = workshop.program(content, ())
        exact = workshop.program(content, (NO_CONTRACTION,))
        odd = runnable.values(ODD_SIZE)
        odd_sums = runnable.ran(exact, odd, 1, how).sums
        values = runnable.large_values(fast, how, lambda _: None)
        sums = odd_sums if values == odd else runnable.ran(exact, values, 1, how).sums
        started = monotonic()
        found = runnable.ran(fast, values, 1, how)
        if min(found.times) < LONG_CALL or found.sums != sums:
            # A call that is not cold; or other results, by contraction or by chance.
            cold, started = found, monotonic()
            calls = FEWEST_CALLS if min(cold.times) < LONG_CALL else 1
            found = runnable.ran(fast, values, calls, how)
            name = first_unlike(cold.sums, found.sums)
            if name is not None:
                place = runnable.place(name, values)
                reason = f"{place} is not the same in two runs of the old program"
                raise CannotRun(reason, UNSTEADY)
        taken = monotonic() - started
        sizes = tuple(odd.items()), tuple(values.items())
        return Baseline(*sizes, tuple(odd_sums.items()), tuple(sums.items()), found.times, taken)


# --- is it the same? ------------------------------------------------------------------------------


def checked(
    problem: Problem, known: Baseline, version: Contender, folder: Path
) -> Contender | Failure:
    """The version, if it computes what the original does, bit for bit; it is compiled on the way.

    As in every comparison, nothing is contracted: a compiler may do that in one version only.
    """
    limit = min(RUN_SECONDS, 5 * MARGIN + MUCH_SLOWER * max(known.seconds, *known.times))
    how = Running(f"the new {problem.function}", limit, problem.threads)
    with _workshop(problem, folder) as workshop:
        exact = workshop.program(version.content, (*version.flags, NO_CONTRACTION))
        # Where all sizes are given, these are the same, and may take long.
        for sizes, sums in {known.odd: known.odd_sums, known.real: known.real_sums}.items():
            values = dict(sizes)
            found = workshop.runnable.ran(exact, values, 1, how).sums
            name = first_unlike(dict(sums), found)
            if name is not None:
                return Failure(workshop.runnable.place(name, values), is_wrong=True)
        workshop.program(version.content, version.flags)
    return version


# --- how fast is it? ------------------------------------------------------------------------------


def timed(
    problem: Problem,
    known: Baseline,
    versions: Sequence[Contender],
    effort: Effort,
    folder: Path,
) -> tuple[Timed, ...]:
    """The times of some versions, the best one so far first, which take turns.

    A time is the least of the calls of one process.  A version is not likely to be the best when
    its best time is worse than the median of the one that has the best time of all: half of that
    one's processes were faster than anything that it has shown.  After two rounds at the
    earliest, it is out.  What there was time to run only once, although two rounds were wanted,
    has no time, unless the original takes long.
    """
    end = monotonic() + effort.seconds
    with _workshop(problem, folder) as workshop:
        race = _Race(workshop, problem, known, versions, end)
        race.prepare()
        for done in range(effort.rounds):
            race.round()
            if done + 1 >= LEAST_ROUNDS:
                race.drop(doubts=effort.doubts)
            if len(race.left) < 2 or race.is_over:
                break
        is_long = min(known.times) > LONG
        return race.results(1 if is_long else min(effort.rounds, LEAST_ROUNDS))


class _Race:
    def __init__(
        self,
        workshop: _Workshop,
        problem: Problem,
        known: Baseline,
        versions: Sequence[Contender],
        end: float,
    ) -> None:
        self.workshop = workshop
        self.problem = problem
        self.known = known
        self.versions = versions
        self.end = end
        self.programs: dict[str, Path] = {}
        self.times: dict[str, list[float]] = {each.key: [] for each in versions}
        self.reasons: dict[str, str] = {}
        self.left: list[str] = []
        self.longest = RUN_SECONDS

    @property
    def is_over(self) -> bool:
        """Is there no time for another process?"""
        return monotonic() > self.end

    def prepare(self) -> None:
        """Compile what is not compiled yet."""
        for each in self.versions:
            try:
                self.programs[each.key] = self.workshop.program(each.content, each.flags)
                self.left.append(each.key)
            except CannotRun as problem:
                self.reasons[each.key] = problem.reason

    def round(self) -> None:
        """One process of each that is left, as long as there is time."""
        awaited = {each.key for each in self.versions if each.is_awaited}
        known = {each.key: each.known for each in self.versions if each.known is not None}
        for key in list(self.left):
            if key in known and not self.times[key]:
                self.times[key].append(known[key])
                continue
            if self.is_over:
                return
            start = monotonic()
            limit = RUN_SECONDS if key in awaited else self.longest
            try:
                self.times[key].append(self._run(key, min(limit, self.end - start + MARGIN)))
            except CannotRun as problem:
                if self.is_over:
                    return
                self.left.remove(key)
                self.reasons[key] = problem.reason
            if key == self.versions[0].key:
                taken = monotonic() - start
                self.longest = min(RUN_SECONDS, MARGIN + MUCH_SLOWER * taken)

    def _run(self, key: str, seconds: float) -> float:
        how = Running(f"the new {self.problem.function}", seconds, self.problem.threads)
        values: Mapping[str, int] = dict(self.known.real)
        # Who was disturbed in the first round makes no fewer calls in the second one.
        calls = calls_for(min([*self.known.times, *self.times[key]]), self.known.around)
        return min(self.workshop.runnable.ran(self.programs[key], values, calls, how).times)

    def drop(self, *, doubts: bool) -> None:
        """What is out is not run any more."""
        if doubts:
            standing = unbeaten({key: self.times[key] for key in self.left})
            self.left = [key for key in self.left if key in standing]
            return
        known = [key for key in self.left if self.times[key]]
        leader = min(known, key=lambda key: min(self.times[key]), default=None)
        if leader is not None:
            limit = median(self.times[leader])
            self.left = [key for key in known if min(self.times[key]) <= limit]

    def results(self, least: int) -> tuple[Timed, ...]:
        """What was found out in so many rounds, or more."""
        return tuple(self._result(key, least) for key in self.times)

    def _result(self, key: str, least: int) -> Timed:
        if key in self.reasons:
            return Timed(key, (), self.reasons[key])
        times = tuple(self.times[key])
        return Timed(key, times) if len(times) >= least else Timed(key, (), TOO_LATE)
