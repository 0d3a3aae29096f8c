"""What processes of a machine share: the machine itself, and folders that nobody forgets.

Both are locks on files: the system opens them when the last process that holds them has ended, in
whatever way it did.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep

PATIENCE = 60.0
"""Seconds to wait for somebody who has the machine alone."""
GIVING_WAY = 15.0
"""Seconds for all others to end what they do; one of them may hang."""
PAUSE = 0.02
FOLDERS, LOCK = "loopwright-steps-", ".lock"


# --- the machine ----------------------------------------------------------------------------------


@contextmanager
def machine_lock(
    *, alone: bool, seconds: float = PATIENCE, is_wanted: Callable[[], bool] = lambda: True
) -> Generator[None]:
    """Share the machine with other tuners, or have it alone.

    Whoever wants it alone closes a gate first, so that nobody new comes in meanwhile.  Where
    nobody gives way in so many seconds, or nobody wants it any longer, there is no waiting.
    Tuners share a machine if they share a folder for temporary files.
    """
    with _lock_file("gate") as gate, _lock_file("machine") as machine:
        if gate is not None and machine is not None:
            if not alone:
                _waited_for(partial(_beside, gate, machine), seconds, is_wanted)
            elif _waited_for(partial(_locks, gate, fcntl.LOCK_EX), seconds, is_wanted):
                only = partial(_locks, machine, fcntl.LOCK_EX)
                _waited_for(only, min(seconds, GIVING_WAY), is_wanted)
        yield


def _waited_for(event: Callable[[], bool], seconds: float, is_wanted: Callable[[], bool]) -> bool:
    end = monotonic() + seconds
    while not event():
        if monotonic() > end or not is_wanted():
            return False
        sleep(PAUSE)
    return True


def _beside(gate: int, machine: int) -> bool:
    if not _locks(gate, fcntl.LOCK_SH):
        return False
    is_in = _locks(machine, fcntl.LOCK_SH)
    fcntl.flock(gate, fcntl.LOCK_UN)
    return is_in


def _locks(file: int, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def _lock_file(name: str) -> Generator[int | None]:
    """A file that everybody can lock and nobody writes; none where there can be none."""
    file = _opened(Path(tempfile.gettempdir()) / f"loopwright-{name}.lock")
    try:
        yield file
    finally:
        if file is not None:
            os.close(file)


def _opened(path: Path) -> int | None:
    """A file of another user is only opened: some systems let nobody else create it again."""
    flags = os.O_RDONLY | os.O_NOFOLLOW
    for more in (0, os.O_CREAT | os.O_EXCL, 0):
        with suppress(OSError):
            file = os.open(path, flags | more, 0o644)
            if more:
                os.fchmod(file, 0o644)
            return file
    return None


# --- folders --------------------------------------------------------------------------------------


class Scratch:
    """A folder for a while.

    It is locked as long as this process or one that was forked from it lives.  What a process
    that was killed has left behind is removed by whoever makes the next one.
    """

    def __init__(self) -> None:
        """Make a folder, and remove those that are nobody's."""
        remove_abandoned()
        self.path, self._lock = _locked_folder()

    def close(self) -> None:
        """Remove it."""
        shutil.rmtree(self.path, ignore_errors=True)
        with suppress(OSError):
            os.close(self._lock)


def _locked_folder() -> tuple[Path, int]:
    """A new folder, and its lock; one that was taken for abandoned meanwhile is not used."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=FOLDERS))
        lock = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        if _locks(lock, fcntl.LOCK_EX) and (path / LOCK).exists():
            return path, lock
        os.close(lock)


def remove_abandoned() -> None:
    """Remove the folders whose processes have ended."""
    for each in Path(tempfile.gettempdir()).glob(f"{FOLDERS}*/{LOCK}"):
        with suppress(OSError):
            lock = os.open(each, os.O_RDWR | os.O_NOFOLLOW)
            try:
                if os.fstat(lock).st_uid == os.getuid() and _locks(lock, fcntl.LOCK_EX):
                    shutil.rmtree(each.parent, ignore_errors=True)
            finally:
                os.close(lock)
