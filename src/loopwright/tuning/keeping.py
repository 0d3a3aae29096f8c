"""A step in a process of its own, and another process that watches over it: its keeper.

A step may crash, take all memory, fill a disk, or not come back from isl.  The keeper does
nothing but wait: for the answer, for the end of the time, or for whoever asked to be gone.  Then
it ends the step with all that it has started, also what has left its group or lost its parent.
Keepers are in sessions of their own: what ends the tuner with all of its group does not end them,
and so nothing is left behind.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import pickle
import resource
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from multiprocessing.connection import Connection, wait
from pathlib import Path
from socket import socket, socketpair
from time import monotonic
from typing import Any, NoReturn

from loopwright.basics.diagnostics import InputError
from loopwright.basics.records import record
from loopwright.fates import TOO_LATE
from loopwright.tuning.sharing import PATIENCE, machine_lock
from loopwright.tuning.toolchain import CannotRun, signal_name
from loopwright.tuning.versions import Failure

LATE = Failure(TOO_LATE, is_late=True)
GRACE = 2.0
"""Seconds that a step has to end by itself: it may have programs to end and files to remove."""
MOST_WAITING = 0.4
"""Of the time that there is: so much may go by in waiting for other tuners of the machine."""
MOST_WRITTEN = 2**30
"""Bytes in one file that a step or one of its programs writes."""
LEAST_MEMORY = 2**32

DEATH_OF_PARENT, ADOPTION = 1, 36
"""The numbers of options of Linux: which signal comes when the parent has ended, and whether
children of children that have ended become children of this process."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
BROKEN = 70

Work = Callable[[Path], Any]
Handlers = Mapping[signal.Signals, Any]


@record
class Terms:
    """How a step is run: alone or not, until when, and for how long at most."""

    alone: bool = False
    seconds: float = inf
    """Until all steps are late."""
    each: float = inf
    """Until this one has taken too long; waiting for the machine does not count."""


# --- processes ------------------------------------------------------------------------------------


def forked(work: Callable[[], None], handlers: Handlers) -> int:
    """A process that does this work and then ends, whatever happens in it; its number.

    No signal reaches it before its handlers are there.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        process = os.fork()
        if process == 0:
            _only(work, handlers)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return process


def _only(work: Callable[[], None], handlers: Handlers) -> NoReturn:
    status = BROKEN
    try:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        faulthandler.disable()
        _hush()
        work()
        status = 0
    finally:
        os._exit(status)


def _hush() -> None:
    """Nothing is read from the terminal, and nothing is written to it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for each in range(3):
        os.dup2(nothing, each)
    os.close(nothing)


def _ask_system(option: int, value: int) -> None:
    """Set an option of this process, where the system has such."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value)


def connected() -> tuple[Connection, Connection]:
    """The two ends of a connection."""
    first, second = socketpair()
    return Connection(first.detach()), Connection(second.detach())


# --- the keeper -----------------------------------------------------------------------------------


def keeper(
    asker: Connection,
    step: Work,
    folder: Path,
    terms: Terms,
    others: Sequence[Connection | socket] = (),
) -> int:
    """Start a process that answers a step through a connection; its number.

    It ends with the step when the other side of the connection is closed.  What is not its own
    is closed, so that its life does not prolong that of others.
    """

    def keep() -> None:
        for each in others:
            each.close()
        _keep(asker, step, folder, terms)

    return forked(keep, dict.fromkeys(ENDING, signal.SIG_IGN))


def _keep(asker: Connection, step: Work, folder: Path, terms: Terms) -> None:
    os.setsid()
    _ask_system(ADOPTION, 1)
    end = monotonic() + terms.seconds

    def is_wanted() -> bool:
        return monotonic() < end and not wait([asker], 0)

    patience = min(PATIENCE, MOST_WAITING * terms.seconds)
    with machine_lock(alone=terms.alone, seconds=patience, is_wanted=is_wanted):
        answer = _watched(asker, step, folder, end, terms.each) if is_wanted() else _pickled(LATE)
    with suppress(OSError):
        asker.send_bytes(answer)


def _watched(asker: Connection, step: Work, folder: Path, end: float, each: float) -> bytes:
    """What the step answers; when it is known, all of its processes have ended."""
    ours, theirs = connected()
    try:
        leaving = {**dict.fromkeys(ENDING, signal.SIG_DFL), signal.SIGTERM: _leave}
        process = forked(partial(_work, step, folder, theirs, os.getpid()), leaving)
    except OSError as error:
        return _pickled(_system_failure(error))
    theirs.close()
    own_end = monotonic() + each
    ready = wait([ours, asker], seconds_until(min(end, own_end)))
    answer, is_over = b"", ours in ready
    if is_over:
        with suppress(EOFError, OSError):
            answer = ours.recv_bytes()
    else:
        os.kill(process, signal.SIGTERM)
        wait([ours], GRACE)
    status = _status_after_ending_all(process)
    if is_over:
        return answer or _pickled(Failure(_how_it_ended(status)))
    return _pickled(LATE if end <= own_end else Failure(f"it took more than {each:g} seconds"))


def seconds_until(end: float) -> float | None:
    """For functions that wait: none, if there is no end."""
    return None if end == inf else max(0.0, end - monotonic())


def _status_after_ending_all(process: int) -> int | None:
    """End all children, also those that they leave behind; how one of them ended."""
    status = None
    while True:
        for each in {process, *_children()} if status is None else _children():
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        try:
            ended, how = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if ended == process:
            status = os.waitstatus_to_exitcode(how)


def _children() -> list[int]:
    try:
        return [int(each) for each in Path("/proc/thread-self/children").read_text().split()]
    except OSError:
        return []


def _how_it_ended(status: int | None) -> str:
    if status is not None and status < 0:
        return f"the process that worked on it was ended by {signal_name(-status)}"
    return f"the process that worked on it ended with status {status}"


# --- the step -------------------------------------------------------------------------------------


def _leave(_number: int, _frame: object) -> None:
    """Unwind, so that programs which run are ended; a second signal waits."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(128 + signal.SIGTERM)


def _work(step: Work, folder: Path, told: Connection, parent: int) -> None:
    _ask_system(DEATH_OF_PARENT, signal.SIGTERM)
    if os.getppid() == parent:
        told.send_bytes(_answer_of(step, folder))


def _answer_of(step: Work, folder: Path) -> bytes:
    try:
        _limit_all()
        os.environ["TMPDIR"] = str(folder)
        return _pickled(step(folder))
    except CannotRun as problem:
        return _pickled(Failure(problem.reason, hint=problem.hint))
    except InputError as error:
        return _pickled(Failure(error.diagnostics[0].message))
    except MemoryError:
        return _pickled(Failure("it took more memory than there is"))
    except RecursionError:
        return _pickled(Failure("it is nested too deeply"))
    except OSError as error:
        return _pickled(_system_failure(error))
    except Exception as error:
        return _pickled(Failure(f"a mistake in loopwright: {type(error).__name__}: {error}"))


def _system_failure(error: OSError) -> Failure:
    return Failure((error.strerror or str(error)).lower())


def _pickled(answer: object) -> bytes:
    return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)


def _limit_all() -> None:
    """What this process and each that it starts may take; what is out of memory ends first."""
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    _limit(resource.RLIMIT_AS, max(LEAST_MEMORY, pages * size // 4 * 3))
    _limit(resource.RLIMIT_FSIZE, MOST_WRITTEN)
    _limit(resource.RLIMIT_CORE, 0)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _limit(what: int, most: int) -> None:
    """Lower a limit; one that is lower already stays."""
    now, hard = resource.getrlimit(what)
    if now == resource.RLIM_INFINITY or now > most:
        resource.setrlimit(what, (most, hard))
