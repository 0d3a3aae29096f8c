"""Two versions of a program, run side by side: the same results, and how fast."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from loopwright.basics.quantities import rounded, sizes_text
from loopwright.basics.records import record
from loopwright.model.scop import Scop
from loopwright.tuning.comparison import first_difference
from loopwright.tuning.driven import NO_CONTRACTION
from loopwright.tuning.running import (
    ODD_SIZE,
    UNSTEADY,
    CalledFunction,
    Different,
    Program,
    Progress,
    Runnable,
    Running,
    first_unlike,
    functions_of,
    require_known,
    whole_program,
)
from loopwright.tuning.toolchain import CannotRun

CALLS = 5


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
class Comparison:
    """A program, its new text, and whether results have to be the same bit for bit."""

    program: Program
    content: bytes
    is_exact: bool = True
    """Or may results differ in their rounding?"""


def measured(trial: Comparison, scops: Sequence[Scop], tell: Progress) -> list[Measured]:
    """A measurement for each function that has new loops.

    Raises :class:`Different` where they compute something else, and :class:`CannotRun` where nobody
    can tell.
    """
    with tempfile.TemporaryDirectory(prefix="loopwright-") as folder:
        program, place = trial.program, Path(folder)
        try:
            found = functions_of(program, scops, place)
            return [_Pair(trial, name, each, tell).measured() for name, each in found.items()]
        except CannotRun as problem:
            require_known(program.given, scops)
            found = whole_program(program, place)
            if not found:
                raise
            tell(f"{problem.reason}; running the whole program")
            return [_Pair(trial, name, each, tell).measured() for name, each in found.items()]


Versions = tuple[Path, Path]
"""Programs, the old one first."""


class _Pair:
    """One function or program, in four programs: before and now, to check and to measure."""

    def __init__(self, trial: Comparison, name: str, runnable: Runnable, tell: Progress) -> None:
        self.trial = trial
        self.name = name
        self.runnable = runnable
        self.old, self.new = Running(f"the old {name}"), Running(f"the new {name}")
        self.tell = tell

    def measured(self) -> Measured:
        runnable = self.runnable
        before, now = self._compiled()
        exact = self._compiled(NO_CONTRACTION)
        odd = runnable.values(ODD_SIZE)
        self._compare(exact, odd)
        values = runnable.large_values(before, self.old, self.tell)
        if values != odd:
            self._compare(exact, values)
        self.tell(f"measuring {self.name}")
        old = min(runnable.ran(before, values, CALLS, self.old).times)
        new = min(runnable.ran(now, values, CALLS, self.new).times)
        shown = runnable.shown(values)
        return Measured(self.name, shown, old, new, CALLS, self._same())

    def _same(self) -> str:
        if not isinstance(self.runnable, CalledFunction):
            return "both programs print the same"
        how = "bit for bit" if self.trial.is_exact else "up to rounding"
        return f"all arrays are the same, {how}"

    def _compiled(self, *flags: str) -> Versions:
        stem = "-exact" if flags else ""
        self.tell(f"compiling the old {self.name}")
        before = self.runnable.compiled(self.trial.program.content, f"before{stem}", *flags)
        self.tell(f"compiling the new {self.name}")
        return before, self.runnable.compiled(self.trial.content, f"now{stem}", *flags)

    def _compare(self, exact: Versions, values: Mapping[str, int]) -> None:
        self.tell(f"comparing the results of {self.name}")
        unlike = self._unlike_bits
        if not self.trial.is_exact and isinstance(self.runnable, CalledFunction):
            unlike = self._unlike_numbers(self.runnable)
        name = unlike(exact, values, self.new)
        if name is not None:
            again = unlike((exact[0], exact[0]), values, self.old)
            place = self.runnable.place(name, values)
            if again is not None:
                reason = f"{_bare(place)} is not the same in two runs of the old program"
                raise CannotRun(reason, UNSTEADY)
            raise Different(place)

    def _unlike_bits(
        self, exact: Versions, values: Mapping[str, int], second: Running
    ) -> str | None:
        """The first thing of which some bits differ."""
        before = self.runnable.ran(exact[0], values, 1, self.old).sums
        return first_unlike(before, self.runnable.ran(exact[1], values, 1, second).sums)

    def _unlike_numbers(
        self, function: CalledFunction
    ) -> Callable[[Versions, Mapping[str, int], Running], str | None]:
        """The same for arrays that may differ in their rounding."""

        def unlike(exact: Versions, values: Mapping[str, int], second: Running) -> str | None:
            lines = function.told(exact[0], values, 1, self.old, keeps_arrays=True)
            arrays, before = function.driven.stored(lines), function.driven.contents()
            function.told(exact[1], values, 1, second, keeps_arrays=True)
            found = first_difference(arrays, before, function.driven.contents())
            return found.array if found is not None else None

        return unlike


def _bare(place: str) -> str:
    """A place without the sizes."""
    return place.partition(" for ")[0]


def gain_text(measurement: Measured) -> str:
    """A measurement in a sentence.

    >>> gain_text(Measured("f", {"n": 100, "m": 100}, 0.5, 0.125, 5, "the arrays are the same"))
    'f at n = m = 100: 0.5 s before, 0.125 s now, 4.0 times as fast; the arrays are the same'
    """
    sizes = sizes_text(measurement.values)
    times = f"{rounded(measurement.before)} s before, {rounded(measurement.now)} s now"
    where = f" at {sizes}" if sizes else ""
    gain = f"{measurement.gain:.1f} times as fast"
    return f"{measurement.function}{where}: {times}, {gain}; {measurement.compared}"
