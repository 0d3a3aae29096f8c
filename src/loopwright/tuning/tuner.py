"""A program is tuned: each of its functions in turn, and then all of them as they are best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import monotonic

from loopwright.basics.records import record
from loopwright.tuning.candidates import OPTIMIZE, ORIGINAL, Candidate, Choice, every
from loopwright.tuning.executors import LocalPool, WorkersLost
from loopwright.tuning.ledger import Ledger
from loopwright.tuning.problems import Problem
from loopwright.tuning.search import Found, Limits, Progress, Search
from loopwright.tuning.store import Run, Store, StoreProblem, Trial
from loopwright.tuning.survey import Survey, survey_from, surveyed
from loopwright.tuning.toolchain import CannotRun
from loopwright.tuning.tries import MAKING_SECONDS, Tries, Workers
from loopwright.tuning.versions import Failure, Made, made

ENDING, ENDING_SHARE = 2.0, 0.05
"""Seconds that are left for what comes after the search, or that part of a shorter time."""


@record(eq=False)
class Terms:
    """How long to search, what to go on with, and whom to tell.

    ``budget`` is in seconds for the whole; ``most`` is how many candidates there may be for
    a function.
    """

    budget: float
    most: int | None = None
    resumes: bool = False
    tell: Callable[[str, Progress], None] = lambda _function, _progress: None
    note: Callable[[str], None] = lambda _: None
    """For what the user should know."""


@record(eq=False)
class TunedProblem:
    """What is known about a problem after its search, or a part of it."""

    problem: Problem
    survey: Survey
    trials: tuple[Trial, ...]
    found: Found
    begun: str
    texts: Callable[[str], bytes | None]
    """The text of a digest, as far as it is known."""
    is_interrupted: bool = False
    made: Made | None = None
    """The best version, if it was made in this process."""


@record(eq=False)
class Tuned:
    """A program as it is best, what is known about each function, and what was proved."""

    content: bytes
    flags: tuple[str, ...]
    problems: tuple[TunedProblem, ...]
    proofs: tuple[str, ...]

    @property
    def is_interrupted(self) -> bool:
        """Did somebody end the search?"""
        return any(each.is_interrupted for each in self.problems)


def tuned_program(
    problems: Sequence[Problem], store: Store | None, workers: Workers, terms: Terms
) -> Tuned:
    """The best program that is found within the budget; it is proved anew.

    Raises :class:`CannotRun` where the original cannot be run.  An interrupt ends the
    search, and what is known by then is the answer.
    """
    end = monotonic() + terms.budget - min(ENDING, ENDING_SHARE * terms.budget)
    tuned: list[TunedProblem] = []
    untimed: list[Problem] = []
    for at, problem in enumerate(problems):
        share = (end - monotonic()) / (len(problems) - at)
        one = _Tuning(problem, store, workers, terms)
        try:
            tuned.append(one.tuned(monotonic() + share))
        except CannotRun as reason:
            if len(problems) == 1 or (not tuned and at == len(problems) - 1):
                raise
            terms.note(f"{problem.function} is not tuned but optimized: {reason.reason}")
            untimed.append(problem)
            continue
        if tuned[-1].is_interrupted:
            break
    content, proofs = _written(tuned, untimed, terms)
    flags = tuned[0].found.best.flags if len(problems) == 1 else ()
    return Tuned(content, flags, tuple(tuned), proofs)


def remembered(problem: Problem, run: Run, store: Store) -> TunedProblem:
    """What a store knows about a run, whether it has ended or not."""
    ledger = Ledger(store, None, store.trials(run))
    made = {each.candidate.key: each.candidate for each in ledger.trials}
    best = made.get(run.best or "", every(problem.regions, ORIGINAL))
    found = Found(best, run.gain, run.over_optimize)
    trials = tuple(ledger.trials)
    return TunedProblem(problem, survey_from(run.baseline), trials, found, run.begun, ledger.text)


class _Tuning:
    """The search for one problem, begun anew or taken up again."""

    def __init__(
        self,
        problem: Problem,
        store: Store | None,
        workers: Workers,
        terms: Terms,
    ) -> None:
        self.problem, self.store, self.workers, self.terms = problem, store, workers, terms
        self.document = problem.document(version("loopwright"))

    def tuned(self, end: float) -> TunedProblem:
        """What a search finds, as far as there is time for it."""
        run = self._earlier()
        if run is None:
            seconds = end - monotonic()
            survey = surveyed(self.problem, self.workers.executor, self.workers.width, seconds)
            run, trials = self._begin(survey), []
        else:
            survey, trials = survey_from(run.baseline), self._trials(run)
        ledger = Ledger(self.store, run, trials, self._warn)
        tries = Tries(self.problem, survey, ledger, self.workers)
        limits = Limits(end, self.terms.most)
        tell = partial(self.terms.tell, self.problem.function)
        search = Search(tries, limits, tell, _earlier_best(run, trials))
        is_interrupted = False
        try:
            found = search.run()
            if not search.is_complete:
                self.terms.note(f"there was not enough time for {self.problem.function}")
        except KeyboardInterrupt:
            found, is_interrupted = search.so_far(), True
        except WorkersLost as problem:
            self.terms.note(f"the search ends here: {problem.reason}")
            found, is_interrupted = search.so_far(), True
        if search.is_complete and (search.is_decided or not is_interrupted):
            ledger.end(found.best.key, found.gain, found.over_optimize)
        begun = run.begun if run is not None else ""
        trials = tuple(ledger.trials)
        best = tries.made(found.best)
        known = (self.problem, survey, trials, found, begun, ledger.text)
        return TunedProblem(*known, is_interrupted, best)

    def _earlier(self) -> Run | None:
        """The run to go on with, if that is wanted and there is one."""
        if not self.terms.resumes or self.store is None:
            return None
        run = self.store.latest(self.document)
        if run is None:
            self.terms.note(f"there is nothing to resume for {self.problem.function}")
        return run

    def _begin(self, survey: Survey) -> Run | None:
        if self.store is None:
            return None
        try:
            return self.store.begin(self.problem.source.name, self.document, survey.document())
        except StoreProblem as problem:
            self._warn(problem.reason)
            return None

    def _trials(self, run: Run) -> list[Trial]:
        """What is known from before; what there was no time for is tried now."""
        assert self.store is not None
        return [each for each in self.store.trials(run) if not each.is_late]

    def _warn(self, reason: str) -> None:
        self.terms.note(f"the store of trials is not written any more: {reason}")


def _earlier_best(run: Run | None, trials: Sequence[Trial]) -> Found | None:
    """What the last session of a run has taken, if it came so far."""
    if run is None:
        return None
    known = (each.candidate for each in trials if each.candidate.key == run.best)
    return next((Found(each, run.gain, run.over_optimize) for each in known), None)


def _written(
    tuned: Sequence[TunedProblem], untimed: Sequence[Problem], terms: Terms
) -> tuple[bytes, tuple[str, ...]]:
    """The program with all functions as they are best, proved anew.

    It is made on this machine: those of a cluster may be gone.
    """
    problem, known = tuned[0].problem, tuned[0].made
    best = [each for one in tuned for each in one.found.best.choices]
    usual = [each for one in untimed for each in every(one.regions, OPTIMIZE).choices]
    if usual:
        answer = _made_here(problem, [*best, *usual])
        if isinstance(answer, Made):
            return answer.content, answer.proofs
        terms.note(f"functions that are not tuned stay as they are: {answer.reason}")
    if len(tuned) == 1 and known is not None:
        return known.content, known.proofs
    answer = _made_here(problem, best)
    if isinstance(answer, Failure):
        raise CannotRun(f"the best version cannot be made again: {answer.reason}")
    return answer.content, answer.proofs


def _made_here(problem: Problem, choices: Sequence[tuple[int, Choice]]) -> Made | Failure:
    whole = Candidate(tuple(sorted(choices, key=lambda each: each[0])))
    with LocalPool(1) as pool:
        ((_, answer),) = pool.run([partial(_making, problem, whole)], 2 * MAKING_SECONDS)
    return answer


def _making(problem: Problem, candidate: Candidate, _folder: Path) -> Made | Failure:
    return made(problem, candidate, MAKING_SECONDS)
