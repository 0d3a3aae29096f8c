"""Who does the work of the tuner: processes of this machine, or whoever else keeps the contract.

Each step runs in a process of its own, since it may crash, take all memory, or not come back from
isl.  A step that is timed runs alone: no other step of any tuner of this machine runs meanwhile.
"""

from __future__ import annotations

import ctypes
import fcntl
import multiprocessing
import os
import resource
import signal
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Protocol, TypeVar, cast

from loopwright.basics.records import record
from loopwright.tuning.toolchain import CannotRun, signal_name
from loopwright.tuning.versions import Failure

T = TypeVar("T")
Step = Callable[[Path], T | Failure]
"""Work that can be pickled; it gets a folder that steps of the same worker share."""

LATE = Failure("there was not enough time for it", is_late=True)
GRACE = 2.0
"""Seconds that a process has to end by itself: it may have programs to end."""
PARENT_DEATH = 1
"""The number of an option of Linux: which signal comes when the parent has ended."""


class Executor(Protocol):
    """Who runs steps.

    What it promises: each step is answered once, by what it returned or by a :class:`Failure`, in
    whatever order they end, whoever dies or joins meanwhile.  Steps that run ``alone`` share
    the cores of their worker with nothing; the others run side by side.
    """

    def run(
        self, steps: Sequence[Step[T]], seconds: float, *, alone: bool = False
    ) -> Iterator[tuple[int, T | Failure]]:
        """The number of each step with its answer, as soon as there is one.

        What has not ended after so many seconds, which are for all of them, is late.
        """
        ...

    def close(self) -> None:
        """End all work."""
        ...


@record(eq=False)
class _Started:
    """A process at work, and the pipe that it answers through."""

    number: int
    process: BaseProcess
    answer: Connection


class LocalPool:
    """Processes of this machine, one for each core that this one may use."""

    def __init__(self, width: int, folder: Path | None = None) -> None:
        """Take a folder for what steps share; without one, there is one until it is closed."""
        self.width = width
        self._own = tempfile.TemporaryDirectory(prefix="loopwright-") if folder is None else None
        self.folder = folder if folder is not None else Path(self._own.name if self._own else "")
        self._running: list[_Started] = []
        self._context = multiprocessing.get_context("fork")

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
        self, steps: Sequence[Step[T]], seconds: float, *, alone: bool = False
    ) -> Iterator[tuple[int, T | Failure]]:
        """See :class:`Executor`."""
        end = monotonic() + seconds
        waiting = list(enumerate(steps))[::-1]
        try:
            while waiting or self._running:
                while waiting and len(self._running) < (1 if alone else self.width):
                    self._start(*waiting.pop(), alone=alone)
                ended = wait([each.answer for each in self._running], max(0.0, end - monotonic()))
                for each in [each for each in self._running if each.answer in ended]:
                    yield each.number, cast("T | Failure", self._answer(each))
                if monotonic() > end:
                    break
            unanswered = [each.number for each in self._running] + [at for at, _ in waiting]
        finally:
            self._end_all()
        for at in unanswered:
            yield at, LATE

    def _start(self, number: int, step: Step[T], *, alone: bool) -> None:
        ours, theirs = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=_work, args=(step, self.folder, theirs, alone), daemon=False
        )
        process.start()
        theirs.close()
        self._running.append(_Started(number, process, cast("Connection", ours)))

    def _answer(self, started: _Started) -> object:
        self._running.remove(started)
        try:
            answer = started.answer.recv()
        except (EOFError, OSError):
            started.process.join(GRACE)
            answer = Failure(_how_it_ended(started.process.exitcode))
        finally:
            started.answer.close()
        started.process.join()
        return answer

    def _end_all(self) -> None:
        """End what runs: first kindly, so that programs which it has started end as well."""
        for each in self._running:
            each.process.terminate()
        limit = monotonic() + GRACE
        for each in self._running:
            each.process.join(max(0.0, limit - monotonic()))
            if each.process.exitcode is None:
                each.process.kill()
                each.process.join()
            each.answer.close()
        self._running.clear()

    def close(self) -> None:
        """End all work, and remove the folder."""
        self._end_all()
        if self._own is not None:
            with suppress(OSError):
                self._own.cleanup()


def _how_it_ended(status: int | None) -> str:
    if status is not None and status < 0:
        return f"the process that worked on it was ended by {signal_name(-status)}"
    return f"the process that worked on it ended with status {status}"


# --- in the other process -------------------------------------------------------------------------


def _work(step: Step[T], folder: Path, told: Connection, alone: bool) -> None:
    """Answer a step."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    _end_with_parent()
    with suppress(BrokenPipeError):
        told.send(_answer_of(step, folder, alone=alone))


def _leave(_number: int, _frame: object) -> None:
    """Unwind, so that programs which run are ended; a second signal waits."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(128 + signal.SIGTERM)


def _end_with_parent() -> None:
    """Whoever ends the tuner at once ends its processes, too, where the system can do that."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGTERM)


def _answer_of(step: Step[T], folder: Path, *, alone: bool) -> T | Failure:
    try:
        _limit_memory()
        with machine_lock(alone=alone):
            return step(folder)
    except CannotRun as problem:
        return Failure(problem.reason)
    except MemoryError:
        return Failure("it took more memory than there is")
    except RecursionError:
        return Failure("it is nested too deeply")
    except OSError as error:
        return Failure((error.strerror or str(error)).lower())
    except Exception as error:
        return Failure(f"a mistake in loopwright: {type(error).__name__}: {error}")


def _limit_memory() -> None:
    """Three quarters of what the machine has, for this process and for each that it starts."""
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (max(2**32, pages * size // 4 * 3), hard))


@contextmanager
def machine_lock(*, alone: bool, seconds: float = 60.0) -> Generator[None]:
    """Share the machine with other tuners, or have it alone.

    Where nobody else gives way in so many seconds, there is no waiting any longer.
    """
    path = Path(tempfile.gettempdir()) / f"loopwright-{os.getuid()}.lock"
    with path.open("w") as lock:
        kind = (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB
        end = monotonic() + seconds
        while monotonic() < end:
            try:
                fcntl.flock(lock, kind)
                break
            except OSError:
                sleep(0.01)
        yield
