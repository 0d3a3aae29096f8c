"""The user's compiler and the programs that it makes, within limits."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from loopwright.basics.records import record

COMPILE_SECONDS = 120.0
MOST_WORDS = 400
"""Of what a compiler or program says when it fails, in characters."""
NO_OPENMP = "install this compiler's library of OpenMP, or give --cflags without -fopenmp"


class CannotRun(Exception):
    """A program cannot be compiled or run; the reason completes "because …".

    ``hint`` is what the user can do about it, where that is known.
    """

    def __init__(self, reason: str, hint: str = "") -> None:
        """Keep what the user is told."""
        super().__init__(reason)
        self.reason, self.hint = reason, hint


@record
class Toolchain:
    """A C compiler and how it is called; ``folder`` is where the user's program stands."""

    command: tuple[str, ...]
    flags: tuple[str, ...]
    reading: tuple[str, ...] = ()
    """Flags without which the program cannot be read."""
    folder: Path = Path()

    def with_flags(self, *more: str) -> Toolchain:
        """The same compiler with more flags, which win over those that it has."""
        return replace(self, flags=(*self.flags, *more))

    def make_object(self, source: Path, made: Path) -> None:
        """Compile without linking, or raise :class:`CannotRun` with the compiler's words."""
        self._make([*self._call(source), "-c", "-o", str(made)], made)

    def require(self) -> None:
        """Is there such a compiler?"""
        if not self.command or shutil.which(self.command[0]) is None:
            name = " ".join(self.command) or "at all"
            raise CannotRun(f"there is no compiler {name}", "name one with --cc")

    def _call(self, source: Path, *more: str, silent: bool = True) -> list[str]:
        self.require()
        around = ("-iquote", str(self.folder), *self.reading)
        warnings = ("-w",) if silent else ("-Werror",)
        return [*self.command, *self.flags, *around, *more, *warnings, str(source)]

    def compile(self, source: Path, program: Path, *more: str, silent: bool = True) -> None:
        """Make a program, or raise :class:`CannotRun` with the compiler's words.

        Unless it is to be ``silent`` about them, warnings are errors.
        """
        called = self._call(source, *more, silent=silent)
        libraries = ["-lm", *(["-lstdc++"] if source.suffix == ".cpp" else [])]
        self._make([*called, "-o", str(program), *libraries], program)

    def _make(self, called: Sequence[str], made: Path) -> None:
        made.unlink(missing_ok=True)
        try:
            output_of(called, COMPILE_SECONDS, "the compiler")
        except CannotRun as problem:
            hint = NO_OPENMP if "-lomp" in problem.reason else problem.hint
            raise CannotRun(problem.reason, hint) from None
        if not made.is_file():
            reason = f"{' '.join(self.command)} says that it compiles, and makes no program"
            raise CannotRun(reason, "name a C compiler with --cc")


def output_of(
    command: Sequence[str],
    seconds: float,
    who: str,
    environment: Mapping[str, str] | None = None,
) -> str:
    """What a command prints; :class:`CannotRun` where it fails, crashes or does not end.

    The ``environment`` adds to that of this process.
    """
    try:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env={**os.environ, **environment} if environment else None,
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
        raise CannotRun(f"{who} was ended by {signal_name(-process.returncode)}")
    if process.returncode > 0:
        words = complaint.strip()[:MOST_WORDS] or f"exit status {process.returncode}"
        raise CannotRun(f"{who} failed: {words}")
    return printed


def signal_name(number: int) -> str:
    """What people call a signal; those for real time have no names.

    >>> signal_name(11), signal_name(40)
    ('SIGSEGV', 'signal 40')
    """
    names = {each.value: each.name for each in signal.Signals}
    return names.get(number, f"signal {number}")


def _end(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """End a program that still runs, with all that it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


# --- programs that may do anything ---------------------------------------------------------------

MOST_WRITTEN, MOST_PRINTED = 256 * 2**20, 16 * 2**20
STACK = 64 * 2**20
"""Bytes: new loops may keep more in local variables than a usual stack holds."""


@record
class Limits:
    """What a program may take: seconds of computing, seconds of waiting, bytes of memory."""

    computing: int
    waiting: float
    memory: int | None


@record
class Ending:
    """How a program ended, and what it said until then.

    ``status`` is its exit status, or minus the number of the signal that ended it; a program that
    was not waited for any longer has none.
    """

    status: int | None
    printed: bytes
    complaint: str
    seconds: float


def ending_of(
    command: Sequence[str], limits: Limits, folder: Path, environment: Mapping[str, str]
) -> Ending:
    """Run a program that may crash, run forever, or print or take everything that there is.

    What it prints goes to files in the folder.
    """
    blocks = [("c", 0), ("f", MOST_WRITTEN // 512), ("s", STACK // 1024), ("t", limits.computing)]
    blocks += [("v", limits.memory // 1024)] if limits.memory is not None else []
    bounded = "; ".join(f"ulimit -S -{letter} {count} 2>/dev/null" for letter, count in blocks)
    shell = ["/bin/sh", "-c", f'{bounded}; exec "$0" "$@"', *command]
    printed, complaint = folder / "printed", folder / "complaint"
    start = time.monotonic()
    try:
        with (
            printed.open("wb") as output,
            complaint.open("wb") as errors,
            subprocess.Popen(
                shell,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env={**os.environ, **environment},
                start_new_session=True,
            ) as process,
        ):
            status = _status_of(process, limits.waiting)
    except OSError as error:
        raise CannotRun(f"{command[0]} cannot be started: {error.strerror}") from None
    said = _beginning(complaint).decode(errors="replace")
    return Ending(status, _beginning(printed), said, time.monotonic() - start)


def _beginning(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(MOST_PRINTED)


def _status_of(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(process)
