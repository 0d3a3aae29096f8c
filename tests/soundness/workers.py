"""Cases judged in processes of their own, which end when they take too long."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

from tests.soundness.judging import Said, Seen, is_defined, no_compiler, said, seen
from tests.soundness.outcomes import WRONG, Outcome, reason_of
from tests.soundness.shrinking import shrunk
from tests.soundness.surroundings.cases import Case, drawn, naked

FORK = multiprocessing.get_context("fork")
LONGEST = 20.0
"""Seconds for an answer of loopwright's; what takes longer hangs."""
PATIENCE = 3
"""How much longer is waited for all that belongs to a case, compilers among it."""
MOST_CASES = 400
"""For one process."""
ASSUMPTION = "do not overlap"
"""What an answer says that it takes for granted; a program for which that is not so may differ."""
TRULY_LOST = 2
"""How often the same reason for a loss is looked into."""


class Judge:
    """Judges one case after the other; what is lost is looked into if that is wanted."""

    def __init__(
        self, seed: int, teams: Path, *, is_thorough: bool = True, has_compiler: bool = True
    ) -> None:
        self.seed, self.teams, self.is_thorough = seed, teams, is_thorough
        self.has_compiler = has_compiler
        self._lost: Counter[str] = Counter()

    def said(self, case: Case) -> Said:
        """What loopwright says of a case."""
        with nullcontext() if self.has_compiler else no_compiler():
            return said(case)

    def outcome(self, number: int) -> Outcome:
        """What becomes of a case."""
        started = time.process_time()
        case = drawn(self.seed, number)
        if case.before == case.after:
            return Outcome(case, Said("unchanged", ""))
        found = Outcome(case, self.said(case), seconds=time.process_time() - started)
        if found.said.word == "proved":
            truth = seen(case, self.teams)
            if truth.word == "different" and ASSUMPTION in found.said.reason:
                truth = Seen("different, as arrays overlap", truth.detail)
            is_wrong = truth.word in WRONG
            return Outcome(
                case, found.said, truth, is_defined(case) if is_wrong else None, found.seconds
            )
        if self.is_thorough and found.is_loss and self._lost[reason_of(found)] < TRULY_LOST:
            self._lost[reason_of(found)] += 1
            truth = seen(case, self.teams)
            if truth.word == "same" and self.said(naked(self.seed, number)).word != "proved":
                truth = Seen("naked, it is refused as well")
            return Outcome(case, found.said, truth, None, found.seconds)
        return found

    def smaller(self, case: Case) -> Case:
        """The same finding with fewer lines."""

        def is_wanted(one: Case) -> bool:
            return self.said(one).word == "proved" and seen(one, self.teams).word in WRONG

        return shrunk(case, is_wanted) if is_wanted(case) else case


def _work(judge: Judge, connection: Any) -> None:
    """The process: it answers numbers with outcomes, and cases with smaller ones."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    while True:
        asked: int | Case = connection.recv()
        connection.send(judge.outcome(asked) if isinstance(asked, int) else judge.smaller(asked))


@dataclass(slots=True)
class Worker:
    """A process, and the question that it works on."""

    judge: Judge
    asked: int | Case | None = None
    since: float = 0.0
    done: int = 0
    process: ForkProcess = field(init=False)
    connection: Any = field(init=False)

    def __post_init__(self) -> None:
        """Start it."""
        self.connection, theirs = FORK.Pipe()
        self.process = FORK.Process(target=_work, args=(self.judge, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.done = 0

    def ask(self, question: int | Case) -> None:
        """Begin with something."""
        if self.done >= MOST_CASES:
            self.end()
            self.__post_init__()
        self.asked, self.since = question, time.monotonic()
        self.connection.send(question)
        self.done += 1

    def answer(self) -> Outcome | Case:
        """What came of it; a process that died has crashed."""
        asked, self.asked = self.asked, None
        try:
            return self.connection.recv()
        except EOFError:
            self.end()
            self.__post_init__()
            return self._failed(asked, "the process ended")

    @property
    def hangs(self) -> bool:
        """Does it take too long?"""
        longest = LONGEST * PATIENCE * (1 if isinstance(self.asked, int) else 20)
        return self.asked is not None and time.monotonic() > self.since + longest

    def given_up(self) -> Outcome | Case:
        """The answer instead of one that does not come."""
        asked, self.asked = self.asked, None
        self.end()
        self.__post_init__()
        return self._failed(asked, "no answer in time")

    def _failed(self, asked: int | Case | None, reason: str) -> Outcome | Case:
        if isinstance(asked, Case):
            return asked
        assert asked is not None
        return Outcome(drawn(self.judge.seed, asked), Said("crashed", reason))

    def end(self) -> None:
        """Stop it."""
        self.process.kill()
        self.process.join()
        self.connection.close()


def answers(questions: Iterator[int], workers: list[Worker]) -> Iterator[Outcome | Case]:
    """What comes of all questions, in no order; findings are asked about once more."""
    again: list[Case] = []
    while True:
        for worker in [each for each in workers if each.asked is None]:
            question = again.pop() if again else next(questions, None)
            if question is not None:
                worker.ask(question)
        busy = [each for each in workers if each.asked is not None]
        if not busy:
            return
        ready = wait([each.connection for each in busy], timeout=1)
        for worker in busy:
            if worker.connection in ready:
                found = worker.answer()
            elif worker.hangs:
                found = worker.given_up()
            else:
                continue
            if isinstance(found, Outcome) and found.is_finding:
                again.append(found.case)
            yield found
