"""Who does the work of the tuner: processes of this machine, or whoever else keeps the contract.

Each step runs in a process of its own, with another one that watches over it
(:mod:`loopwright.tuning.keeping`).  A step that is timed runs alone: no other step of any tuner of
this machine runs meanwhile.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Protocol, TypeVar, cast

from loopwright.basics.records import record
from loopwright.tuning.keeping import GRACE, LATE, Terms, connected, keeper, seconds_until
from loopwright.tuning.sharing import Scratch
from loopwright.tuning.versions import Failure

__all__ = ["LATE", "Executor", "LocalPool", "Step", "WorkersLost"]

T = TypeVar("T")
Step = Callable[[Path], T | Failure]
"""Work that can be pickled; it gets a folder that steps of the same worker share."""

GONE = "the process that watched over it has ended"


class WorkersLost(Exception):
    """Nobody is left to do the work; the reason completes "because …".

    What was not answered by then is as if nobody had asked.
    """

    def __init__(self, reason: str) -> None:
        """Keep what the user is told."""
        super().__init__(reason)
        self.reason = reason


class Executor(Protocol):
    """Who runs steps.

    What it promises: each step is answered once, by what it returned or by a :class:`Failure`, in
    whatever order they end, whoever dies or joins meanwhile.  Steps that run ``alone`` share
    the cores of their worker with nothing; the others run side by side.  Where nobody is left who
    could answer, it raises :class:`WorkersLost`.
    """

    def run(
        self, steps: Sequence[Step[T]], seconds: float, *, alone: bool = False, each: float = inf
    ) -> Iterator[tuple[int, T | Failure]]:
        """The number of each step with its answer, as soon as there is one.

        What has not ended after so many seconds, which are for all of them, is late; it may be
        tried again.  One that takes more than ``each`` seconds itself has failed for good.
        """
        ...

    def close(self) -> None:
        """End all work."""
        ...


@record(eq=False)
class _Kept:
    """A step at work: its keeper, and the connection that is answered through."""

    number: int
    keeper: int
    asker: Connection

    def answer(self) -> object:
        """What the keeper says."""
        try:
            return pickle.loads(self.asker.recv_bytes())
        except (EOFError, OSError):
            return Failure(GONE)
        except Exception as error:
            return Failure(f"its answer cannot be read: {type(error).__name__}: {error}")

    def leave(self, limit: float) -> None:
        """Wait until the keeper has ended, which it does when nobody asks any more."""
        self.asker.close()
        with suppress(ChildProcessError):
            while os.waitpid(self.keeper, os.WNOHANG)[0] == 0:
                if monotonic() > limit:
                    os.kill(self.keeper, signal.SIGKILL)
                    os.waitpid(self.keeper, 0)
                    break
                sleep(0.001)


class LocalPool:
    """Processes of this machine, so many at a time."""

    def __init__(self, width: int, folder: Path | None = None) -> None:
        """Take a folder for what steps share; without one, there is one until it is closed."""
        self.width = width
        self._own = Scratch() if folder is None else None
        self.folder = folder if self._own is None else self._own.path
        self._running: list[_Kept] = []

    def __enter__(self) -> LocalPool:
        """Nothing is to be done yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all work."""
        self.close()

    def run(
        self, steps: Sequence[Step[T]], seconds: float, *, alone: bool = False, each: float = inf
    ) -> Iterator[tuple[int, T | Failure]]:
        """See :class:`Executor`."""
        end = monotonic() + seconds
        waiting, running = deque(enumerate(steps)), list[_Kept]()
        width = 1 if alone else self.width
        try:
            while waiting or running:
                while waiting and len(running) < width and monotonic() < end:
                    number, step = waiting.popleft()
                    started = self._started(number, step, Terms(alone, end - monotonic(), each))
                    if isinstance(started, Failure):
                        yield number, started
                    else:
                        running.append(started)
                ready = wait([kept.asker for kept in running], seconds_until(end))
                for kept in [kept for kept in running if kept.asker in ready]:
                    running.remove(kept)
                    yield kept.number, cast("T | Failure", self._answer(kept))
                if not ready and monotonic() > end:
                    break
        finally:
            self._end(running)
        for number in [*(kept.number for kept in running), *(number for number, _ in waiting)]:
            yield number, LATE

    def _started(self, number: int, step: Step[T], terms: Terms) -> _Kept | Failure:
        assert self.folder is not None
        try:
            ours, theirs = connected()
            folder, others = self.folder, [ours, *(each.asker for each in self._running)]
            process = keeper(theirs, step, folder, terms, others)
        except OSError as error:
            return Failure(f"no process can be started: {(error.strerror or str(error)).lower()}")
        theirs.close()
        self._running.append(_Kept(number, process, ours))
        return self._running[-1]

    def _answer(self, kept: _Kept) -> object:
        answer = kept.answer()
        self._end([kept])
        return answer

    def _end(self, ended: Sequence[_Kept]) -> None:
        for each in ended:
            each.asker.close()
        limit = monotonic() + 2 * GRACE
        for each in ended:
            each.leave(limit)
            if each in self._running:
                self._running.remove(each)

    def close(self) -> None:
        """End all work, and remove the folder."""
        self._end(list(self._running))
        if self._own is not None:
            self._own.close()
