"""Candidates are tried: made and checked side by side, and timed in races.

Whatever is in the ledger is not done again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic

from loopwright.basics.records import record
from loopwright.fates import TOO_LATE
from loopwright.tuning.candidates import OPTIMIZE, ORIGINAL, Candidate, every
from loopwright.tuning.executors import Executor, Step
from loopwright.tuning.ledger import Ledger
from loopwright.tuning.problems import Problem
from loopwright.tuning.running import RUN_SECONDS
from loopwright.tuning.store import CRASHED, FOUND, LATE, REFUSED, SAME, WRONG, Trial
from loopwright.tuning.survey import Survey
from loopwright.tuning.toolchain import CannotRun
from loopwright.tuning.trials import (
    Baseline,
    Contender,
    Effort,
    Timed,
    checked,
    timed,
)
from loopwright.tuning.versions import Failure, Made, made

Known = frozenset[tuple[str, tuple[str, ...]]]
"""Digests of texts with the flags that they are compiled with."""

MAKING_SECONDS = 40.0
"""For a candidate to be made and proved."""
SLOW = 5.0
"""Seconds: an original that takes so long was timed before, and that counts as its first round."""
END_OF_RACE = 2.0
"""Seconds in which a race that is to end has ended."""


@record
class Prepared:
    """Different versions that can be timed; ``is_over`` says that there was no time for more."""

    versions: tuple[Candidate, ...]
    is_over: bool


@record
class Lap:
    """The times of a version, and those of the version that it is compared with."""

    times: tuple[float, ...]
    beside: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times as long it takes."""
        return min(self.times) / max(min(self.beside), 1e-12)


@record
class Workers:
    """Who does the work: an executor, how many steps run side by side, and how many races do."""

    executor: Executor
    width: int
    lanes: int = 1


class Tries:
    """All that was tried in a run."""

    def __init__(self, problem: Problem, survey: Survey, ledger: Ledger, workers: Workers) -> None:
        """Nothing was asked for yet, whatever the ledger knows."""
        self.problem, self.survey, self.ledger, self.workers = problem, survey, ledger, workers
        self.original = every(problem.regions, ORIGINAL)
        self.optimize = every(problem.regions, OPTIMIZE)
        self.asked: dict[str, Candidate] = {}
        self.proofs: dict[str, tuple[str, ...]] = {}
        self._first: dict[tuple[str, tuple[str, ...]], Candidate] = {}
        self._texts: dict[tuple[tuple[int, object], ...], str] = {}

    # --- made and checked ---

    def prepare(self, wanted: Sequence[Candidate], end: float) -> Prepared:
        """The different versions of these candidates that compute what the original does."""
        self.asked |= {each.key: each for each in wanted}
        known = [each for each in wanted if self.ledger.made(each.key) is not None]
        for each in known:
            self._note(each)
        is_over = any(self._status(each) == LATE for each in wanted)
        rest = [each for each in dict.fromkeys(wanted) if self._status(each) is None]
        if rest and not is_over:
            self._try(rest, end)
            is_over = any(self._status(each) == LATE for each in rest)
        found = (self.version_of(each) for each in wanted)
        different = dict.fromkeys(each for each in found if each is not None)
        return Prepared(tuple(different), is_over)

    def version_of(self, candidate: Candidate) -> Candidate | None:
        """The first candidate with the same text, if it is one that can be timed."""
        trial = self.ledger.made(candidate.key)
        if trial is None or trial.status not in (FOUND, SAME):
            return None
        first = self._first.get((trial.text, candidate.flags))
        return first if first is not None and self._status(first) == FOUND else None

    def twins(self, version: Candidate) -> Iterator[Candidate]:
        """All candidates with the same text and flags, the first one first."""
        return (each for each in self.asked.values() if self.version_of(each) == version)

    def _status(self, candidate: Candidate) -> str | None:
        trial = self.ledger.made(candidate.key)
        return trial.status if trial is not None else None

    def _note(self, candidate: Candidate) -> None:
        trial = self.ledger.made(candidate.key)
        if trial is not None and trial.text:
            if trial.status != SAME:
                self._first.setdefault((trial.text, candidate.flags), candidate)
            self._texts.setdefault(candidate.choices, trial.text)

    def _record(self, candidate: Candidate, status: str, reason: str = "", text: str = "") -> None:
        self.ledger.add([Trial(candidate, 0, status, reason, text=text)])
        self._note(candidate)

    def _try(self, some: Sequence[Candidate], end: float) -> None:
        """Make the texts, and check those that are new; each is noted as soon as it is known."""
        if self.original in some:
            self._keep(self.original, Made(self.problem.source.content))
            some = [each for each in some if each != self.original]
        left = end - monotonic()
        known = frozenset(self._first)
        steps = [self._trying(each, known, left) for each in some]
        limit = MAKING_SECONDS + RUN_SECONDS
        for at, answer in self.workers.executor.run(steps, max(0.0, left), each=limit):
            self._learn(some[at], answer, end)

    def _trying(self, candidate: Candidate, known: Known, seconds: float) -> Step[Attempt]:
        asked = Attempted(
            self.problem,
            self.survey.baseline,
            candidate,
            self.ledger.text(self._texts.get(candidate.choices, "")),
            known,
            min(MAKING_SECONDS, seconds),
        )
        return partial(attempt, asked)

    def _learn(self, candidate: Candidate, answer: Attempt | Failure, end: float) -> None:
        """Note what became of a candidate."""
        if isinstance(answer, Failure):
            self._refuse(candidate, answer, REFUSED, end)
            return
        version = answer.made
        first = self._first.setdefault((version.digest, candidate.flags), candidate)
        if version.proofs:
            self.proofs.setdefault(version.digest, version.proofs)
        if first != candidate:
            self._record(candidate, SAME, first.label, version.digest)
        elif answer.failure is not None:
            status = WRONG if answer.failure.is_wrong else CRASHED
            self._refuse(candidate, answer.failure, status, end, version.digest)
        else:
            self._keep(candidate, version)

    def _keep(self, candidate: Candidate, version: Made) -> None:
        self.ledger.keep_text(version.digest, version.content)
        self._record(candidate, FOUND, text=version.digest)

    def _refuse(
        self, candidate: Candidate, failure: Failure, status: str, end: float, text: str = ""
    ) -> None:
        is_over = failure.is_late and monotonic() > end - 0.1
        self._record(candidate, LATE if is_over else status, failure.reason, text)

    # --- timed ---

    def race(
        self,
        best: Candidate,
        others: Sequence[Candidate],
        rounds: int,
        end: float,
        *,
        is_final: bool = False,
    ) -> dict[str, Lap]:
        """Times of the others beside those of the best; what was not timed is not there.

        Where several machines time, the best runs on each of them, except in a final race.
        """
        lanes = 1 if is_final else max(1, min(self.workers.lanes, len(others) // 2))
        laps: dict[str, Lap] = {}
        fresh: list[list[Candidate]] = []
        for group in ([best, *others[at::lanes]] for at in range(lanes)):
            known = self.ledger.race(each.key for each in group)
            if known is None:
                fresh.append(group)
            else:
                laps |= _laps(known)
        left = max(0.1, end - monotonic())
        steps = [self._racing(group, Effort(rounds, left, is_final)) for group in fresh]
        for at, answer in self.workers.executor.run(steps, left + END_OF_RACE, alone=True):
            trials = _race_trials(fresh[at], answer, self.ledger.next_rung)
            self.ledger.add(trials)
            laps |= _laps(trials)
        return laps

    def _racing(self, group: Sequence[Candidate], effort: Effort) -> Step[tuple[Timed, ...]]:
        contenders = [
            replace(
                _contender(each, self.content_of(each)),
                is_awaited=each in (self.original, group[0]),
                known=self._known_time if each == self.original else None,
            )
            for each in group
        ]
        return partial(timed, self.problem, self.survey.baseline, contenders, effort)

    @property
    def _known_time(self) -> float | None:
        """Of the original, if it would cost much to run it once more than needed."""
        baseline = self.survey.baseline
        return min(baseline.times) if baseline.seconds > SLOW else None

    def made(self, version: Candidate) -> Made | None:
        """A version that was made in this process, with its proofs."""
        trial = self.ledger.made(version.key)
        content = self.ledger.text(trial.text) if trial is not None else None
        if trial is None or content is None or trial.text not in self.proofs:
            return None
        return Made(content, self.proofs[trial.text])

    def content_of(self, version: Candidate) -> bytes:
        """The text of a version that can be timed."""
        trial = self.ledger.made(version.key)
        assert trial is not None, version.label
        content = self.ledger.text(trial.text)
        if content is None:
            again = made(self.problem, version, MAKING_SECONDS)
            assert isinstance(again, Made), (version.label, again)
            content = again.content
            self.ledger.keep_text(trial.text, content)
        return content


# --- in other processes ---------------------------------------------------------------------------


@record
class Attempted:
    """A candidate that is to be made and checked, unless its text is ``known``.

    The ``content`` is its text, if it was made already.
    """

    problem: Problem
    baseline: Baseline
    candidate: Candidate
    content: bytes | None
    known: Known
    seconds: float


@record
class Attempt:
    """A text, and what stands against it when it is run."""

    made: Made
    failure: Failure | None = None


def attempt(asked: Attempted, folder: Path) -> Attempt | Failure:
    """Make a candidate and check it; a step of the tuner.

    What another step of the same worker has checked is not checked again.
    """
    problem, candidate = asked.problem, asked.candidate
    version = made(problem, candidate, asked.seconds) if asked.content is None else None
    if isinstance(version, Failure):
        return version
    version = version or Made(asked.content or b"")
    if (version.digest, candidate.flags) in asked.known:
        return Attempt(version)
    contender = _contender(candidate, version.content)
    mark = folder / f"checked-{problem.digest[:32]}-{contender.digest}"
    try:
        if not mark.exists():
            answer = checked(problem, asked.baseline, contender, folder)
            if isinstance(answer, Failure):
                return Attempt(version, answer)
            mark.touch()
    except CannotRun as reason:
        return Attempt(version, Failure(reason.reason))
    return Attempt(version)


# --- races ----------------------------------------------------------------------------------------


def _contender(candidate: Candidate, content: bytes) -> Contender:
    return Contender(candidate.key, content, candidate.flags)


def _race_trials(
    group: Sequence[Candidate], answer: tuple[Timed, ...] | Failure, rung: int
) -> list[Trial]:
    """The trials of a race; without an answer, nobody has a time."""
    if isinstance(answer, Failure):
        status = LATE if answer.is_late else CRASHED
        return [Trial(each, rung, status, answer.reason) for each in group]
    by_key = {each.key: each for each in answer}
    beside = by_key[group[0].key].times
    return [_race_trial(each, rung, by_key[each.key], beside) for each in group]


def _race_trial(candidate: Candidate, rung: int, new: Timed, beside: tuple[float, ...]) -> Trial:
    status = FOUND if new.times else LATE if new.reason == TOO_LATE else CRASHED
    return Trial(candidate, rung, status, new.reason, new.times, beside)


def _laps(trials: Sequence[Trial]) -> dict[str, Lap]:
    return {
        each.candidate.key: Lap(each.times, each.beside)
        for each in trials
        if each.times and each.beside
    }
