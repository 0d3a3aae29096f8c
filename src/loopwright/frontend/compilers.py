"""The compiler that a program is written for: what it makes of a text before it compiles it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path

from loopwright.basics.records import record
from loopwright.frontend.known_flags import FOLDERS

SECONDS = 20.0
MOST_BYTES = 256 * 2**20
COMPILER = "-O3 -march=native -fopenmp"
"""How people are told to compile what loopwright writes, with the usual compiler."""
FLAGS = tuple(COMPILER.split())
USUAL = ("gcc", "cc", "clang")
"""The compilers of those who name none, the first that is there."""
_LAUNCHERS = frozenset(("ccache", "sccache", "distcc", "icecc"))
_SEARCHED = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
"""Variables with folders of headers."""
_MOST_WORDS = 300
_DEPTH = 40
"""How many folders ``../`` has to leave behind."""


class CannotPreprocess(Exception):
    """The compiler does not take a program; the reason completes "because …"."""

    def __init__(self, reason: str) -> None:
        """Keep its words."""
        super().__init__(reason)
        self.reason = reason


def usual_command() -> tuple[str, ...]:
    """The compiler of those who name none; proofs say which one that was."""
    return (next((each for each in USUAL if shutil.which(each) is not None), USUAL[0]),)


@record
class Compiler:
    """A C compiler, and the flags that a program is compiled with."""

    command: tuple[str, ...] = field(default_factory=usual_command)
    flags: tuple[str, ...] = FLAGS

    @classmethod
    def called(cls, text: str) -> Compiler:
        """What a line of a shell says; one of flags alone is for the usual compiler.

        >>> Compiler.called("gcc -O2 -fopenmp")
        Compiler(command=('gcc',), flags=('-O2', '-fopenmp'))
        """
        words = shlex.split(text) or [""]
        if words[0].startswith("-"):
            return cls(flags=tuple(words))
        return cls.of(words)

    @classmethod
    def of(cls, words: Sequence[str]) -> Compiler:
        """A compiler, perhaps behind what starts it, and its flags, wherever they come from.

        >>> Compiler.of(["ccache", "gcc", "-O2"])
        Compiler(command=('ccache', 'gcc'), flags=('-O2',))
        """
        names = enumerate(words, start=1)
        last = next((at for at, each in names if Path(each).name not in _LAUNCHERS), len(words))
        return cls(tuple(words[:last]), tuple(words[last:]))

    @property
    def is_for_cpp(self) -> bool:
        """Does it take every file for C++?

        >>> [Compiler.called(each).is_for_cpp for each in ("gcc", "g++-12")]
        [False, True]
        """
        return bool(self.command) and re.search(r"\+\+(-[\d.]+)?$", self.command[-1]) is not None

    @property
    def is_there(self) -> bool:
        """Is there such a compiler on this machine?"""
        return bool(self.command) and shutil.which(self.command[0]) is not None

    def preprocessed(self, source: bytes, folder: Path, reading: tuple[str, ...]) -> bytes:
        """The text after preprocessing, with line markers and with the macros that it defines.

        The ``folder`` is where the program stands, ``reading`` are the flags without which it
        cannot be read.
        """
        more = ("-E", "-dD", "-w", *reading)
        return self._said(source, folder, more)

    def require_valid(self, source: bytes, folder: Path, reading: tuple[str, ...]) -> None:
        """Raise :class:`CannotPreprocess` unless the compiler takes the whole program."""
        self._said(source, folder, ("-fsyntax-only", "-w", *reading))

    def _said(self, source: bytes, folder: Path, more: tuple[str, ...]) -> bytes:
        # What is read from standard input stands in the working folder, where no header is to be.
        around = ("-iquote", str(folder.resolve()))
        called = [*_found(self.command), *around, *_absolute((*self.flags, *more)), "-"]
        environment = {**os.environ, **_searched(), "LC_ALL": "C", "SOURCE_DATE_EPOCH": "0"}
        try:
            with _nowhere() as folder_without_headers:
                done = subprocess.run(
                    called,
                    input=source,
                    capture_output=True,
                    cwd=folder_without_headers,
                    env=environment,
                    timeout=SECONDS,
                    check=False,
                    start_new_session=True,
                )
        except OSError as error:
            raise CannotPreprocess(f"{self.command[0]} cannot be started: {error}") from None
        except subprocess.TimeoutExpired:
            raise CannotPreprocess(f"{self.command[0]} does not answer") from None
        if done.returncode != 0:
            raise CannotPreprocess(_complaint(done.stderr.decode(errors="replace")))
        if len(done.stdout) > MOST_BYTES:
            raise CannotPreprocess("the preprocessed text is too large")
        return done.stdout


def _found(command: Sequence[str]) -> list[str]:
    """A command that may be named from where the user stands."""
    found = [shutil.which(each) or each for each in command]
    return [os.path.abspath(each) if os.sep in each else each for each in found]


def _absolute(flags: Sequence[str]) -> list[str]:
    """The flags, with folders of headers that are named from where the user stands."""
    found: list[str] = []
    for at, each in enumerate(flags):
        if at > 0 and flags[at - 1] in FOLDERS:
            found.append(os.path.abspath(each))
        elif each.startswith("-I") and each != "-I":
            found.append("-I" + os.path.abspath(each.removeprefix("-I")))
        else:
            found.append(each)
    return found


def _searched() -> dict[str, str]:
    """The folders of headers that the environment names; an empty name is where the user stands."""
    return {
        name: os.pathsep.join(map(os.path.abspath, os.environ[name].split(os.pathsep)))
        for name in _SEARCHED
        if os.environ.get(name)
    }


@contextmanager
def _nowhere() -> Generator[str]:
    """A folder in which there are no headers, nor in those around it."""
    with tempfile.TemporaryDirectory(prefix="loopwright-") as top:
        folder = Path(top, *["empty"] * _DEPTH)
        folder.mkdir(parents=True)
        yield str(folder)


def _complaint(words: str) -> str:
    """The first error among what a compiler says."""
    lines = [each for each in words.splitlines() if "error" in each] or words.splitlines()
    first = lines[0] if lines else "it says nothing"
    return first.strip()[:_MOST_WORDS]
