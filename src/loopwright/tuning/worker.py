"""What runs where a Dask worker is: it says what it is, and has steps answered.

A Dask worker has threads, so that no process may be forked from it.  It starts a foreman: a fresh
process that loads loopwright once and has nothing to do but to start a keeper for each step
(:mod:`loopwright.tuning.keeping`).  A step that crashes does not take the worker along.  A worker
that ends, in whatever way, leaves nothing behind: keepers end when nobody asks any more, and the
foreman when there is no worker.
"""

from __future__ import annotations

import os
import pickle
import platform
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module, metadata
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any

from loopwright.basics.records import record
from loopwright.tuning.keeping import GRACE, Terms, keeper
from loopwright.tuning.problems import compiler_identity, processor_name
from loopwright.tuning.sharing import Scratch
from loopwright.tuning.toolchain import CannotRun, Toolchain

PAUSE = 0.1
"""Seconds between two looks at whether an answer is still wanted."""
IDLE = 300.0
"""Seconds after which a foreman without work ends."""
ATTEMPTS = 3
ENDING = ("closing", "closed", "failed", "stopping", "stopped")
"""The states of a worker that nobody hears any more."""
SET_BY_NANNIES = ("OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "MALLOC_", "GLIBC_TUNABLES")
"""Variables that decide over times, and that Dask sets for its own purposes."""
SERVE = "import sys; from loopwright.tuning.worker import serve; serve(int(sys.argv[1]))"
LOADED = ("loopwright.tuning.trials", "loopwright.tuning.refinement", "loopwright.tuning.versions")


@record
class Identity:
    """What a worker is: only such ones are used as are like the machine that asks."""

    host: str
    """The same for all workers that share cores, in whatever containers they are."""
    processor: str
    compiler: str
    version: str
    cores: int


@record
class Request:
    """A step for another machine: pickled, with its terms and with what surrounds it."""

    step: bytes
    terms: Terms
    environment: tuple[tuple[str, str], ...] = ()
    folder: str = ""
    """Where the tuner runs; steps run there as well, where there is such a folder."""


def surroundings() -> tuple[tuple[tuple[str, str], ...], str]:
    """The environment and the folder for a request from this process."""
    wanted = [each for each in os.environ.items() if each[0].startswith(SET_BY_NANNIES)]
    return tuple(wanted), str(Path.cwd())


def own_version() -> str:
    """The version of loopwright here; none where it was not installed."""
    try:
        return metadata.version("loopwright")
    except metadata.PackageNotFoundError:
        return ""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# --- in the Dask worker ---------------------------------------------------------------------------


def identity(toolchain: Toolchain) -> Identity:
    """What this worker is."""
    try:
        compiler = compiler_identity(toolchain)
    except CannotRun as problem:
        compiler = f"none: {problem.reason}"
    return Identity(_host(), processor_name(), compiler, own_version(), cores())


def _host() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return platform.node()


def answered(request: bytes) -> bytes:
    """Have a step answered; nothing, if nobody wants the answer any more."""
    is_wanted = _question_of_dask()
    for _ in range(ATTEMPTS):
        asker = _FOREMAN.asker()
        try:
            asker.send_bytes(request)
            while not asker.poll(PAUSE):
                if not is_wanted():
                    return b""
            return asker.recv_bytes()
        except (EOFError, OSError):
            continue
        finally:
            asker.close()
    raise OSError("the process that starts its steps does not stay alive")


def _question_of_dask() -> Callable[[], bool]:
    """Is the answer to the task of this thread still wanted?

    Dask does not end threads, and a worker that has lost its scheduler waits for them.  But it
    knows that it is about to end, and which tasks are cancelled: those that somebody cancelled,
    and those of clients that are gone.
    """
    try:
        from distributed.worker import get_worker, thread_state

        worker: Any = get_worker()
        key: Any = thread_state.key
    except (ImportError, ValueError, AttributeError):
        return lambda: True

    def is_wanted() -> bool:
        try:
            is_ending = worker.status.name in ENDING
            return not is_ending and worker.state.tasks[key].state != "cancelled"
        except KeyError:
            return False
        except (AttributeError, RuntimeError):
            return True

    return is_wanted


class _Foreman:
    """The foreman of this process, which is started when there is work for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def asker(self) -> Connection:
        """A connection through which a request is sent, and answered."""
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            try:
                self._pass(theirs)
            except OSError:
                self._start()
                self._pass(theirs)
        return Connection(ours.detach())

    def _pass(self, connection: socket.socket) -> None:
        if self._control is None:
            raise OSError("there is no foreman yet")
        socket.send_fds(self._control, [b"!"], [connection.fileno()])

    def _start(self) -> None:
        if self._process is not None:
            self._process.poll()
        if self._control is not None:
            self._control.close()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", SERVE, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )


_FOREMAN = _Foreman()


# --- in the foreman -------------------------------------------------------------------------------


def serve(number: int) -> None:
    """Start a keeper for each connection that comes through a socket, until that is closed."""
    for each in LOADED:
        import_module(each)
    scratch = Scratch()
    keepers: set[int] = set()
    with socket.socket(fileno=number) as control:
        idle_since = monotonic()
        while True:
            if wait([control], PAUSE):
                message, connections, *_ = socket.recv_fds(control, 1, 1)
                if not message:
                    break
                keepers |= {_kept(each, control, scratch.path) for each in connections}
            _forget_ended(keepers)
            idle_since = monotonic() if keepers else idle_since
            if monotonic() > idle_since + IDLE:
                break
    _wait_for(keepers)
    scratch.close()


def _kept(number: int, control: socket.socket, folder: Path) -> int:
    """The keeper of the next step; 0 if there is none after all."""
    asker = Connection(number)
    try:
        request: Request = pickle.loads(asker.recv_bytes())
        return keeper(asker, partial(_performed, request), folder, request.terms, [control])
    except (EOFError, OSError):
        return 0
    finally:
        asker.close()


def _forget_ended(keepers: set[int]) -> None:
    keepers.discard(0)
    for each in list(keepers):
        with suppress(ChildProcessError):
            if os.waitpid(each, os.WNOHANG)[0] == 0:
                continue
        keepers.discard(each)


def _wait_for(keepers: set[int]) -> None:
    limit = monotonic() + 2 * GRACE
    while keepers and monotonic() < limit:
        _forget_ended(keepers)
        sleep(0.01)


def _performed(request: Request, folder: Path) -> object:
    """The answer of a step, as if it ran beside the tuner."""
    for name in [each for each in os.environ if each.startswith(SET_BY_NANNIES)]:
        del os.environ[name]
    os.environ.update(request.environment)
    with suppress(OSError):
        os.chdir(request.folder or ".")
    return pickle.loads(request.step)(folder)
