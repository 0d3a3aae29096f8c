"""Two versions of a program, run side by side: the same results, and how fast."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic

from loopwright.basics.records import record
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.model.scop import Scop
from loopwright.tuning.calls import Call, call_of, has_main, require_plain_subscripts
from loopwright.tuning.comparison import Stored, first_difference
from loopwright.tuning.driven import NO_CONTRACTION, Driven, suffix_of
from loopwright.tuning.harness import tested
from loopwright.tuning.sizes import chosen_values, parameter_names
from loopwright.tuning.toolchain import CannotRun, Toolchain, output_of

RUN_SECONDS = 60.0
ENOUGH = 0.2
"""Seconds: a run that takes so long can be compared."""
WANTED = 0.4
FIRST_SIZE, ODD_SIZE, LARGEST_SIZE = 48, 19, 50_000_000
MOST_BYTES = 2**28
CALLS = 5

Progress = Callable[[str], None]


class Different(Exception):
    """The new program computes something else."""

    def __init__(self, what: str) -> None:
        """Keep what is different, and where."""
        super().__init__(what)
        self.what = what


@record
class Measured:
    """How long a function took, before and now, and for which sizes."""

    function: str
    values: Mapping[str, int]
    before: float
    now: float
    calls: int
    compared: str
    """What was the same in both."""

    @property
    def gain(self) -> float:
        """How many times as fast it is."""
        return self.before / self.now if self.now else 1.0


@record(eq=False)
class Trial:
    """A program before and after, and how to compile it."""

    name: str
    original: bytes
    content: bytes
    options: ReadOptions
    toolchain: Toolchain
    given: Mapping[str, int]
    is_exact: bool = True
    """Or may results differ in their rounding?"""


def measured(trial: Trial, scops: Sequence[Scop], tell: Progress) -> list[Measured]:
    """A measurement for each function that has new loops.

    Raises :class:`Different` where they compute something else, and :class:`CannotRun` where nobody
    can tell.
    """
    parsed = ParsedFile(trial.name, trial.original, trial.options)
    functions = dict.fromkeys(each.function for each in scops)
    _require_known(trial.given, scops)
    found: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="loopwright-") as folder:
        for function in functions:
            own = [each for each in scops if each.function == function]
            try:
                call = call_of(parsed, function, own)
                require_plain_subscripts(own)
                parameter_names(call)
                found.append(_Function(trial, call, Path(folder), tell).measured())
            except CannotRun as problem:
                if not has_main(parsed):
                    raise CannotRun(f"{function} cannot be called: {problem.reason}") from None
                tell(f"{function} cannot be called ({problem.reason}); running the whole program")
                return [_whole_program(trial, Path(folder), tell)]
    return found


def _require_known(given: Mapping[str, int], scops: Sequence[Scop]) -> None:
    known = {each.text for scop in scops for each in scop.parameters}
    for name in given:
        if name not in known:
            raise CannotRun(f"--size names {name}; the sizes are {', '.join(sorted(known))}")


class _Function:
    """One function, in four programs: before and now, to check and to measure."""

    def __init__(self, trial: Trial, call: Call, folder: Path, tell: Progress) -> None:
        self.trial = trial
        self.call = call
        self.driven = Driven(call, trial.toolchain, folder, suffix_of(trial.options))
        self.tell = tell

    def measured(self) -> Measured:
        before, now = self._compile(), self._compile(is_new=True)
        exact = self._compile(NO_CONTRACTION), self._compile(NO_CONTRACTION, is_new=True)
        self._compare(exact, self._values(ODD_SIZE))
        values = self._large_values(before)
        self._compare(exact, values)
        self.tell(f"measuring {self.call.function}")
        times = self._times(before, values), self._times(now, values)
        shown = {name: values[name] for name in parameter_names(self.call)}
        best = [min(each) for each in times]
        same = (
            f"all arrays are the same, {'bit for bit' if self.trial.is_exact else 'up to rounding'}"
        )
        return Measured(self.call.function, shown, best[0], best[1], len(times[0]), same)

    def _compile(self, *flags: str, is_new: bool = False) -> Path:
        self.tell(f"compiling {'the new' if is_new else 'the old'} {self.call.function}")
        content = self.trial.content if is_new else self.trial.original
        stem = f"{'now' if is_new else 'before'}{'-exact' if flags else ''}"
        return self.driven.compiled(content, stem, *flags)

    def _values(self, size: int) -> dict[str, int]:
        return chosen_values(self.call, size, self.trial.given)

    def _run(
        self,
        program: Path,
        values: Mapping[str, int],
        calls: int,
        *,
        keeps_arrays: bool = False,
    ) -> list[str]:
        """The lines that the driver tells."""
        total = self.driven.bytes_for(values)
        if total > 16 * MOST_BYTES:
            raise CannotRun(f"the arrays of {self.call.function} would take {total} bytes")
        command = self.driven.command(program, values, calls, keeps_arrays=keeps_arrays)
        which = "the new" if program.name.startswith(f"{self.call.function}-now") else "the old"
        who = f"{which} {self.call.function}"
        output_of(command, RUN_SECONDS, who)
        lines = self.driven.told()
        if not self.driven.is_complete(lines, calls):
            raise CannotRun(f"{who} ended the program before it returned")
        return lines

    def _times(self, program: Path, values: Mapping[str, int], calls: int = CALLS) -> list[float]:
        lines = self._run(program, values, calls)
        return [float(line.split()[1]) for line in lines if line.startswith("time ")]

    def _compare(self, exact: tuple[Path, Path], values: Mapping[str, int]) -> None:
        self.tell(f"comparing the arrays of {self.call.function}")
        if not self.trial.is_exact:
            self._compare_rounded(exact, values)
            return
        before, now = (self._sums(each, values) for each in exact)
        name = _first_unlike(before, now)
        if name is not None:
            self._require_repeatable(_first_unlike(before, self._sums(exact[0], values)))
            raise Different(self._place(name, values))

    def _sums(self, program: Path, values: Mapping[str, int]) -> dict[str, str]:
        """A number for each array, and for the result."""
        lines = [line for line in self._run(program, values, 1) if line.startswith("array ")]
        return dict(zip(tested(self.call), lines, strict=True))

    def _require_repeatable(self, name: str | None) -> None:
        """Two runs of the old program are the same, or there is nothing to compare with."""
        if name is not None:
            place = f"{name} of {self.call.function}"
            raise CannotRun(f"{place} is not the same in two runs of the old program")

    def _compare_rounded(self, exact: tuple[Path, Path], values: Mapping[str, int]) -> None:
        """Are the arrays the same up to rounding?"""
        (arrays, before), (_, now) = (self._contents(each, values) for each in exact)
        found = first_difference(arrays, before, now)
        if found is not None:
            again = first_difference(arrays, before, self._contents(exact[0], values)[1])
            self._require_repeatable(again.array if again is not None else None)
            raise Different(self._place(found.array, values))

    def _contents(self, program: Path, values: Mapping[str, int]) -> tuple[list[Stored], bytes]:
        """All arrays after a call, one behind the other, and what they are."""
        lines = self._run(program, values, 1, keeps_arrays=True)
        return self.driven.stored(lines), self.driven.contents()

    def _place(self, name: str, values: Mapping[str, int]) -> str:
        sizes = parameter_names(self.call)
        where = ", ".join(f"{each} = {values[each]}" for each in sizes)
        return f"{name} of {self.call.function}" + (f" for {where}" if where else "")

    # --- the size -------------------------------------------------------------------------------

    def _large_values(self, program: Path) -> dict[str, int]:
        """Values for which a call takes long enough to measure, unless the arrays get too large."""
        names = parameter_names(self.call)
        free = [name for name in names if name not in self.trial.given]
        size, values = FIRST_SIZE, self._values(FIRST_SIZE)
        taken = min(self._times(program, values, 2))
        while free and taken < ENOUGH:
            larger = int(size * _growth(taken))
            wanted = self._values(larger)
            if larger > LARGEST_SIZE or wanted == values or not self._fits(wanted):
                break
            self.tell(f"{self.call.function} takes {taken:.3g} s at size {size}")
            size, values = larger, wanted
            taken = min(self._times(program, values, 1))
        return values

    def _fits(self, values: Mapping[str, int]) -> bool:
        return self.driven.bytes_for(values) <= MOST_BYTES


def _first_unlike(before: Mapping[str, str], now: Mapping[str, str]) -> str | None:
    """The first name that stands for something else.

    >>> _first_unlike({"a": "1", "b": "2"}, {"a": "1", "b": "3"})
    'b'
    """
    return next((name for name, text in before.items() if now[name] != text), None)


def _growth(taken: float) -> float:
    """How much larger the next size is: little enough not to take minutes in a deep nest."""
    return min(2.5, max(1.15, (WANTED / max(taken, 1e-6)) ** 0.25))


# --- a whole program ----------------------------------------------------------------------------


def _whole_program(trial: Trial, folder: Path, tell: Progress) -> Measured:
    programs: list[Path] = []
    printed: list[str] = []
    for stem, content in (("before", trial.original), ("now", trial.content)):
        source = folder / f"{stem}{suffix_of(trial.options)}"
        source.write_bytes(content)
        tell(f"compiling the program {stem}")
        exact, fast = folder / f"{stem}-exact", folder / stem
        trial.toolchain.compile(source, exact, NO_CONTRACTION)
        trial.toolchain.compile(source, fast)
        programs.append(fast)
        printed.append(output_of([str(exact)], RUN_SECONDS, "the program"))
    if printed[0] != printed[1]:
        again = output_of([str(folder / "before-exact")], RUN_SECONDS, "the program")
        if again != printed[0]:
            raise CannotRun("what the program prints is not the same in two runs of the old one")
        raise Different("what the program prints")
    tell("measuring the program")
    best = [min(_duration(program) for _ in range(CALLS)) for program in programs]
    return Measured("main", {}, best[0], best[1], CALLS, "both programs print the same")


def _duration(program: Path) -> float:
    start = monotonic()
    output_of([str(program)], RUN_SECONDS, "the program")
    return monotonic() - start


def threads() -> int:
    """How many threads an OpenMP program gets here."""
    wanted = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def gain_text(measurement: Measured) -> str:
    """A measurement in a sentence.

    >>> gain_text(Measured("f", {"n": 100, "m": 100}, 0.5, 0.125, 5, "the arrays are the same"))
    'f at n = m = 100: 0.5 s before, 0.125 s now, 4.0 times as fast; the arrays are the same'
    """
    groups: dict[int, list[str]] = {}
    for name, value in measurement.values.items():
        groups.setdefault(value, []).append(name)
    sizes = ", ".join(f"{' = '.join(names)} = {value}" for value, names in groups.items())
    times = f"{_rounded(measurement.before)} s before, {_rounded(measurement.now)} s now"
    where = f" at {sizes}" if sizes else ""
    gain = f"{measurement.gain:.1f} times as fast"
    return f"{measurement.function}{where}: {times}, {gain}; {measurement.compared}"


def _rounded(seconds: float) -> str:
    digits = 3 - math.ceil(math.log10(seconds)) if seconds > 0 else 3
    return f"{round(seconds, digits):g}"
