"""What is timed and compared: a function that a driver calls, or a whole program."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from time import monotonic
from typing import Protocol

from loopwright.basics.records import record
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.model.scop import Scop
from loopwright.tuning.calls import Call, call_of, has_main, require_plain_subscripts
from loopwright.tuning.driven import Driven, suffix_of
from loopwright.tuning.harness import tested
from loopwright.tuning.sizes import chosen_values, parameter_names
from loopwright.tuning.toolchain import CannotRun, Toolchain, output_of

RUN_SECONDS = 60.0
ENOUGH = 0.2
"""Seconds: a run that takes so long can be compared."""
WANTED = 0.4
FIRST_SIZE, ODD_SIZE, LARGEST_SIZE = 48, 19, 50_000_000
MOST_BYTES = 2**28
PRINTED = "what the program prints"
CALLABLE = "put the loops into a function of numbers and arrays of numbers, or add a main"

UNSTEADY = "it must compute the same each time; does it read what nobody has set?"

Progress = Callable[[str], None]


class Different(Exception):
    """The new program computes something else."""

    def __init__(self, what: str) -> None:
        """Keep what is different, and where."""
        super().__init__(what)
        self.what = what


@record
class Running:
    """How a program is run: what messages call it, for how long it may, and with how many threads.

    Without a number of ``threads`` it takes as many as there are.
    """

    who: str = "the program"
    seconds: float = RUN_SECONDS
    threads: int | None = None

    def output_of(self, command: Sequence[str]) -> str:
        """What a command prints, or :class:`CannotRun`."""
        threads = {} if self.threads is None else {"OMP_NUM_THREADS": str(self.threads)}
        return output_of(command, self.seconds, self.who, threads)


@record(eq=False)
class Ran:
    """What a process has shown: the seconds of its calls, and what the last of them computed.

    There is a number for each thing that it computes, in which every bit counts.
    """

    times: tuple[float, ...]
    sums: Mapping[str, str]


class Runnable(Protocol):
    """Something that is compiled in several versions, which are compared and timed."""

    def placed(self, folder: Path) -> Runnable:
        """The same with another folder for its programs and what they tell."""
        ...

    def compiled(self, content: bytes, stem: str, *flags: str) -> Path:
        """A program of one version."""
        ...

    def values(self, size: int) -> dict[str, int]:
        """What its integers are if its sizes are about so large."""
        ...

    def large_values(self, program: Path, how: Running, tell: Progress) -> dict[str, int]:
        """Values for which a run takes long enough to be measured, if that is possible."""
        ...

    def shown(self, values: Mapping[str, int]) -> dict[str, int]:
        """The values that are sizes of a region."""
        ...

    def ran(self, program: Path, values: Mapping[str, int], calls: int, how: Running) -> Ran:
        """What some calls take, and what they compute."""
        ...

    def place(self, name: str, values: Mapping[str, int]) -> str:
        """Which of these things, and for which sizes."""
        ...


def first_unlike(before: Mapping[str, str], now: Mapping[str, str]) -> str | None:
    """The first name that stands for something else.

    >>> first_unlike({"a": "1", "b": "2"}, {"a": "1", "b": "3"})
    'b'
    """
    return next((name for name, text in before.items() if now[name] != text), None)


def require_known(given: Mapping[str, int], scops: Sequence[Scop]) -> None:
    """Sizes that nobody asks for are a mistake."""
    known = {each.text for scop in scops for each in scop.parameters}
    for name in given:
        if name not in known:
            sizes = ", ".join(sorted(known)) or "not needed: there are none"
            raise CannotRun(f"--size names {name}; the sizes are {sizes}", "check --size")


@record(eq=False)
class Program:
    """A program text, how to read and to compile it, and the sizes that somebody has given."""

    name: str
    content: bytes
    options: ReadOptions
    toolchain: Toolchain
    given: Mapping[str, int] = field(default_factory=dict[str, int])

    def parsed(self) -> ParsedFile:
        """The text as the parser knows it."""
        return ParsedFile(self.name, self.content, self.options)


def functions_of(program: Program, scops: Sequence[Scop], folder: Path) -> dict[str, Runnable]:
    """The functions of the regions by their names; :class:`CannotRun` if one cannot be called."""
    require_known(program.given, scops)
    parsed = program.parsed()
    names = dict.fromkeys(each.function for each in scops)
    return {each: called_function(program, parsed, each, scops, folder) for each in names}


def called_function(
    program: Program, parsed: ParsedFile, function: str, scops: Sequence[Scop], folder: Path
) -> Runnable:
    """One function of the regions; :class:`CannotRun` if it cannot be called."""
    own = [each for each in scops if each.function == function]
    try:
        call = call_of(parsed, function, own)
        require_plain_subscripts(own)
        parameter_names(call)
    except CannotRun as problem:
        reason = f"{function} cannot be called: {problem.reason}"
        raise CannotRun(reason, problem.hint or CALLABLE) from None
    driven = Driven(call, program.toolchain, folder, suffix_of(program.options))
    return CalledFunction(call, driven, program.given)


def whole_program(program: Program, folder: Path) -> dict[str, Runnable]:
    """The whole program as ``main``, if it is one."""
    if not has_main(program.parsed()):
        return {}
    return {"main": WholeProgram(program.toolchain, folder, suffix_of(program.options))}


# --- a function -----------------------------------------------------------------------------------


@record(eq=False)
class CalledFunction:
    """A function behind a driver."""

    call: Call
    driven: Driven
    given: Mapping[str, int]

    def placed(self, folder: Path) -> Runnable:
        """The same in another folder."""
        return replace(self, driven=replace(self.driven, folder=folder))

    def compiled(self, content: bytes, stem: str, *flags: str) -> Path:
        """A program that calls it."""
        return self.driven.compiled(content, stem, *flags)

    def values(self, size: int) -> dict[str, int]:
        """Its integers, about so large."""
        return chosen_values(self.call, size, self.given)

    def shown(self, values: Mapping[str, int]) -> dict[str, int]:
        """The sizes."""
        return {name: values[name] for name in parameter_names(self.call)}

    def told(
        self,
        program: Path,
        values: Mapping[str, int],
        calls: int,
        how: Running,
        *,
        keeps_arrays: bool = False,
    ) -> list[str]:
        """The lines that the driver tells."""
        total = self.driven.bytes_for(values)
        if total > 16 * MOST_BYTES:
            reason = f"the arrays of {self.call.function} would take {total} bytes"
            raise CannotRun(reason, "name smaller sizes with --size")
        how.output_of(self.driven.command(program, values, calls, keeps_arrays=keeps_arrays))
        lines = self.driven.told()
        if not self.driven.is_complete(lines, calls):
            raise CannotRun(f"{how.who} ended the program before it returned")
        return lines

    def ran(self, program: Path, values: Mapping[str, int], calls: int, how: Running) -> Ran:
        """The calls, one after the other; there is a number for each array and for the result."""
        lines = self.told(program, values, calls, how)
        times = [float(line.split()[1]) for line in lines if line.startswith("time ")]
        arrays = [line for line in lines if line.startswith("array ")]
        return Ran(tuple(times), dict(zip(tested(self.call), arrays, strict=True)))

    def place(self, name: str, values: Mapping[str, int]) -> str:
        """An array, and the sizes."""
        where = ", ".join(f"{each} = {value}" for each, value in self.shown(values).items())
        return f"{name} of {self.call.function}" + (f" for {where}" if where else "")

    def large_values(self, program: Path, how: Running, tell: Progress) -> dict[str, int]:
        """Values for which a call takes long enough, unless the arrays get too large."""
        free = [name for name in parameter_names(self.call) if name not in self.given]
        size, values = FIRST_SIZE, self.values(FIRST_SIZE)
        if not free:
            return values
        taken = min(self.ran(program, values, 2, how).times)
        while taken < ENOUGH:
            larger = int(size * _growth(taken))
            wanted = self.values(larger)
            fits = self.driven.bytes_for(wanted) <= MOST_BYTES
            if larger > LARGEST_SIZE or wanted == values or not fits:
                break
            tell(f"{self.call.function} takes {taken:.3g} s at size {size}")
            size, values = larger, wanted
            taken = min(self.ran(program, values, 1, how).times)
        return values


def _growth(taken: float) -> float:
    """How much larger the next size is: little enough not to take minutes in a deep nest."""
    return min(2.5, max(1.15, (WANTED / max(taken, 1e-6)) ** 0.25))


# --- a whole program ------------------------------------------------------------------------------


@record(eq=False)
class WholeProgram:
    """A program that is run as it is: what it computes is what it prints."""

    toolchain: Toolchain
    folder: Path
    suffix: str

    def placed(self, folder: Path) -> Runnable:
        """The same in another folder."""
        return replace(self, folder=folder)

    def compiled(self, content: bytes, stem: str, *flags: str) -> Path:
        """The program."""
        source = self.folder / f"program-{stem}{self.suffix}"
        source.write_bytes(content)
        program = source.with_suffix("")
        self.toolchain.compile(source, program, *flags)
        return program

    def values(self, size: int) -> dict[str, int]:
        """It has no integers that somebody could choose."""
        del size
        return {}

    def large_values(self, program: Path, how: Running, tell: Progress) -> dict[str, int]:
        """It is as large as it is."""
        del program, how, tell
        return {}

    def shown(self, values: Mapping[str, int]) -> dict[str, int]:
        """There is nothing to show."""
        return dict(values)

    def ran(self, program: Path, values: Mapping[str, int], calls: int, how: Running) -> Ran:
        """Some runs; there is a number for what the last one prints."""
        del values
        times, printed = list[float](), ""
        for _ in range(calls):
            start = monotonic()
            printed = how.output_of([str(program)])
            times.append(monotonic() - start)
        text = printed.encode(errors="surrogateescape")
        return Ran(tuple(times), {PRINTED: hashlib.sha256(text).hexdigest()})

    def place(self, name: str, values: Mapping[str, int]) -> str:
        """There is only one thing."""
        return name


def threads() -> int:
    """How many threads an OpenMP program gets here."""
    wanted = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
