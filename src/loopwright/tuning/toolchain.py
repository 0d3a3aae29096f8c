"""The user's compiler and the programs that it makes, within limits."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from loopwright.basics.records import record

COMPILE_SECONDS = 120.0
MOST_WORDS = 400
"""Of what a compiler or program says when it fails, in characters."""


class CannotRun(Exception):
    """A program cannot be compiled or run; the reason completes "because …"."""

    def __init__(self, reason: str) -> None:
        """Keep what the user is told."""
        super().__init__(reason)
        self.reason = reason


@record
class Toolchain:
    """A C compiler and how it is called; ``folder`` is where the user's program stands."""

    command: tuple[str, ...]
    flags: tuple[str, ...]
    reading: tuple[str, ...] = ()
    """Flags without which the program cannot be read."""
    folder: Path = Path()

    def compile(self, source: Path, program: Path, *more: str) -> None:
        """Make a program, or raise :class:`CannotRun` with the compiler's words."""
        if not self.command or shutil.which(self.command[0]) is None:
            raise CannotRun(f"there is no compiler {' '.join(self.command) or 'at all'}")
        around = ("-iquote", str(self.folder), *self.reading)
        called = [*self.command, *self.flags, *around, *more, "-w", str(source)]
        libraries = ["-lm", *(["-lstdc++"] if source.suffix == ".cpp" else [])]
        output_of([*called, "-o", str(program), *libraries], COMPILE_SECONDS, "the compiler")


def output_of(command: Sequence[str], seconds: float, who: str) -> str:
    """What a command prints; :class:`CannotRun` where it fails, crashes or does not end."""
    try:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:
            try:
                printed, complaint = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                raise CannotRun(f"{who} took more than {seconds:g} seconds") from None
            finally:
                _end(process)
    except OSError as error:
        raise CannotRun(f"{who} cannot be started: {error.strerror}") from None
    if process.returncode < 0:
        raise CannotRun(f"{who} was ended by {_signal_name(-process.returncode)}")
    if process.returncode > 0:
        words = complaint.strip()[:MOST_WORDS] or f"exit status {process.returncode}"
        raise CannotRun(f"{who} failed: {words}")
    return printed


def _signal_name(number: int) -> str:
    """What people call a signal; those for real time have no names.

    >>> _signal_name(11), _signal_name(40)
    ('SIGSEGV', 'signal 40')
    """
    names = {each.value: each.name for each in signal.Signals}
    return names.get(number, f"signal {number}")


def _end(process: subprocess.Popen[str]) -> None:
    """End a program that still runs, with all that it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
