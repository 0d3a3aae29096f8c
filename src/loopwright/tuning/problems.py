"""What is tuned: a function with its regions, on a machine, with a compiler; all plain values."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from loopwright.basics.records import record
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.frontend.inputs import parsed_context
from loopwright.frontend.reading import Question, Reading, read_source
from loopwright.model.scop import Scop
from loopwright.targets.machine import Machine
from loopwright.tuning.running import (
    Program,
    Runnable,
    called_function,
    require_known,
    whole_program,
)
from loopwright.tuning.toolchain import CannotRun, Toolchain, output_of

ASKING_SECONDS = 10.0


@record
class Asked:
    """A :class:`~loopwright.frontend.reading.Question` that other processes understand."""

    function: str | None = None
    context: str | None = None
    assume_non_negative: bool = False
    autodetect: bool = False

    def question(self) -> Question:
        """The question itself."""
        known = parsed_context(self.context) if self.context is not None else None
        return Question(self.function, known, self.assume_non_negative, self.autodetect)


@record
class Source:
    """A program text, and how it is read."""

    name: str
    content: bytes
    options: ReadOptions = ReadOptions()
    asked: Asked = Asked()

    @property
    def digest(self) -> str:
        """The same for the same text, read in the same way, whatever the file is called.

        The headers that do not come with the system are a part of the text.  Who compiles it is
        told of each trial.
        """
        options = {key: each for key, each in asdict(self.options).items() if key != "compiler"}
        reading = json.dumps([options, asdict(self.asked)], sort_keys=True)
        return _digest(self.content, reading.encode(), *own_headers(self))

    def reading(self) -> Reading:
        """The regions; a process reads a text once."""
        return _reading(self)


@lru_cache(maxsize=2)
def _reading(source: Source) -> Reading:
    return read_source(source.name, source.content, source.options, source.asked.question())


@lru_cache(maxsize=2)
def own_headers(source: Source) -> tuple[bytes, ...]:
    """What the headers of a program say, but for those of the system; a process reads them once."""
    if b"include" not in source.content:
        return ()
    parsed = ParsedFile(source.name, source.content, source.options)
    return tuple(parsed.file(each).content for each in parsed.own_headers())


@record
class Place:
    """Where times are taken: a description of the machine, its processor, and the compiler."""

    machine: Machine
    processor: str
    compiler: str
    """What it says that it is."""

    def document(self) -> dict[str, Any]:
        """The place as plain data."""
        return {
            "machine": asdict(self.machine),
            "processor": self.processor,
            "compiler": self.compiler,
        }


@record
class Problem:
    """A function with its regions, or a whole program (``main``), and where it is tuned.

    ``given`` are the sizes that somebody has chosen, and ``threads`` their number.
    """

    source: Source
    function: str
    regions: tuple[int, ...]
    place: Place
    toolchain: Toolchain
    given: tuple[tuple[str, int], ...] = ()
    threads: int | None = None
    tunes_flags: bool = True
    depth: int | None = None
    """Of how many levels interleavings are, if somebody knows better."""

    @property
    def program(self) -> Program:
        """The program as it is compiled and run."""
        source = self.source
        given = dict(self.given)
        return Program(source.name, source.content, source.options, self.toolchain, given)

    @property
    def digest(self) -> str:
        """Another one where the same text may become another program, or be run differently."""
        toolchain = self.toolchain
        words = [toolchain.command, toolchain.flags, toolchain.reading, str(toolchain.folder)]
        how = json.dumps([self.function, words, self.given, self.threads])
        return _digest(self.source.digest.encode(), how.encode())

    def runnable(self) -> Runnable:
        """What is run; a process finds that out once."""
        return _runnable(self)

    def document(self, version: str) -> dict[str, Any]:
        """All that decides over times, as plain data."""
        return {
            "source": self.source.digest,
            "function": self.function,
            "regions": list(self.regions),
            **self.place.document(),
            "command": list(self.toolchain.command),
            "flags": list(self.toolchain.flags),
            "sizes": dict(self.given),
            "threads": self.threads,
            "version": version,
        } | ({} if self.depth is None else {"depth": self.depth})


@lru_cache(maxsize=4)
def _runnable(problem: Problem) -> Runnable:
    if problem.function == "main":
        return whole_program(problem.program, Path())["main"]
    scops = problem.source.reading().scops
    program = problem.program
    return called_function(program, program.parsed(), problem.function, scops, Path())


def problems_of(
    source: Source,
    place: Place,
    toolchain: Toolchain,
    given: Mapping[str, int],
    threads: int | None = None,
    depth: int | None = None,
) -> list[Problem]:
    """The problems of a file: one for each function with regions, or the program as a whole.

    Flags are for a whole file, so that they are tuned only if there is one problem.
    """
    scops = source.reading().scops
    program = Program(source.name, source.content, source.options, toolchain, given)
    require_known(given, scops)
    found: list[Problem] = []
    for name in _runnable_names(program, scops):
        own = [at for at, each in enumerate(scops) if name in ("main", each.function)]
        problem = Problem(source, name, tuple(own), place, toolchain, tuple(given.items()), threads)
        found.append(replace(problem, depth=depth))
    return found if len(found) == 1 else [replace(each, tunes_flags=False) for each in found]


def _runnable_names(program: Program, scops: Sequence[Scop]) -> list[str]:
    """All functions, if each can be called; else the whole program, if it is one.

    Of a file that is none, some functions may be tuned, and others have a reason not to be.
    """
    names = list(dict.fromkeys(each.function for each in scops))
    refusals: list[CannotRun] = []
    parsed = program.parsed()
    for each in names:
        try:
            called_function(program, parsed, each, scops, Path())
        except CannotRun as problem:
            refusals.append(problem)
    whole = list(whole_program(program, Path())) if refusals and not program.given else []
    if refusals and len(refusals) == len(names) and not whole:
        raise refusals[0]
    return whole or names


def problem_of_run(source: Source, document: Mapping[str, Any]) -> Problem:
    """The problem that a document describes; those of earlier versions do not name the compiler."""
    command, flags = document.get("command", ("cc",)), document["flags"]
    place = Place(
        Machine(**document["machine"]), str(document["processor"]), str(document["compiler"])
    )
    return Problem(
        source,
        str(document["function"]),
        tuple(document["regions"]),
        place,
        Toolchain(tuple(command), tuple(flags), source.options.flags()),
        tuple(document["sizes"].items()),
        document["threads"],
        depth=document.get("depth"),
    )


def compiler_identity(toolchain: Toolchain) -> str:
    """What the compiler says that it is, and for which machines it compiles."""
    toolchain.require()
    said = [
        output_of([*toolchain.command, option], ASKING_SECONDS, "the compiler").partition("\n")[0]
        for option in ("--version", "-dumpmachine")
    ]
    return ", ".join(each.strip() for each in said)


def processor_name(root: Path = Path("/")) -> str:
    """What the system calls the processor, if it does."""
    try:
        text = (root / "proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return ""
    name = re.search(r"^(?:model name|CPU part)\s*:\s*(.*)$", text, re.MULTILINE)
    return name.group(1).strip() if name is not None else ""


def _digest(*parts: bytes) -> str:
    whole = hashlib.sha256()
    for each in parts:
        whole.update(len(each).to_bytes(8, "big") + each)
    return whole.hexdigest()
