"""A case in which two versions of a program differ, found by running both.

A difference counts only where the original is defined: it ends by itself, in the same way each
time, and the sanitizers of the compiler, where it has them, find nothing wrong with it.  A new
program that crashes, computes on and on, or leaves its arrays differs, too.
"""

from __future__ import annotations

import math
import re
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from time import monotonic

from loopwright.basics.records import record
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.model.proofs import Counterexample
from loopwright.model.scop import Scop
from loopwright.tuning import faults
from loopwright.tuning.calls import has_main
from loopwright.tuning.cases import Case
from loopwright.tuning.driven import NO_CONTRACTION, suffix_of
from loopwright.tuning.harness import EXACT_MEMORY
from loopwright.tuning.outputs import first_line_unlike
from loopwright.tuning.subjects import (
    CalledFunction,
    Difference,
    Outcome,
    Subject,
    Versions,
    WholeProgram,
)
from loopwright.tuning.toolchain import CannotRun, Limits, Toolchain, signal_name

SECONDS = 20.0
VALUES_SHARE = 0.6
"""How much of the time goes to comparing values, before the sanitizers look at the new program."""
COMPARABLE = ("-O1", NO_CONTRACTION, "-fno-fast-math")
PARALLEL = re.compile(rb'#\s*pragma\s+omp\b|_Pragma\s*\(\s*"\s*omp\b')
THREADS = 4
PARALLEL_RUNS = 4
"""What is computed at the same time is not the same each time."""
OTHER_THREADS = (1, 2, 3)
"""If the original is parallel, it must be the same for so many threads, too."""
ENVIRONMENT = {
    "OMP_DYNAMIC": "false",
    "OMP_WAIT_POLICY": "passive",
    "OMP_STACKSIZE": "64M",
    # Memory without a value holds another one than the sanitizers put there.
    "MALLOC_PERTURB_": "165",
}
MEMORY = 4 * 2**30
SLOWEST = 2.0
"""Seconds that the original may take."""
PATIENCE, FACTOR = 2.0, 30.0
"""How long a new program may compute: so many seconds, and so many times as long as the old."""
SLOWER = 10.0
"""How many times as long a program takes under the eyes of the sanitizers."""
CONFIRMING = 10.0
"""Seconds that there are for making sure, even if the time is up."""

Progress = Callable[[str], None]


def counterexample(
    name: str,
    original: bytes,
    transformed: bytes,
    options: ReadOptions,
    scops: Sequence[Scop],
    new_scops: Sequence[Scop | None],
    toolchain: Toolchain,
    tell: Progress = lambda _: None,
    *,
    is_exact: bool = True,
    suggested: Sequence[Mapping[str, int]] = (),
    seconds: float = SECONDS,
) -> Counterexample | None:
    """A case in which the programs differ, or ``None`` where none was found.

    ``scops`` are the models of the original's regions, and ``new_scops`` those of the regions in
    their places, as far as there are any.  The values of parameters that are ``suggested`` are
    tried first.  Unless ``is_exact``, results may differ in their rounding.  Raises
    :class:`CannotRun` where the programs cannot be run.
    """
    end = monotonic() + seconds
    pairs = tuple(zip(scops, new_scops, strict=True))
    versions = Versions(name, original, transformed, options, pairs, is_exact)
    is_parallel = any(PARALLEL.search(text) for text in (original, transformed))
    flags = (*COMPARABLE, "-fopenmp") if is_parallel else COMPARABLE
    comparing = toolchain.with_flags(*flags)
    searching = _Searching(versions, tell, end, PARALLEL_RUNS if is_parallel else 1)
    refusals: list[str] = []
    with tempfile.TemporaryDirectory(prefix="loopwright-") as folder:
        for function in dict.fromkeys(each.function for each in scops):
            try:
                subject = CalledFunction(versions, function, comparing, Path(folder), suggested)
                found = _Search(subject, searching).found()
            except CannotRun as problem:
                refusals.append(f"{function} cannot be called: {problem.reason}")
                continue
            if found is not None:
                return found
        if refusals and has_main(ParsedFile(name, original, options)):
            tell(f"{refusals[0]}; running the whole program")
            program = WholeProgram(versions, comparing, Path(folder))
            return _Search(program, searching).found()
    if refusals:
        raise CannotRun(refusals[0])
    return None


@record(eq=False)
class _Searching:
    """What is compared, who is told, when it has to end, and how often a program is run."""

    versions: Versions
    tell: Progress
    end: float
    runs: int


class _Search:
    """For a case in which both versions of one thing differ."""

    def __init__(self, subject: Subject, searching: _Searching) -> None:
        self.subject = subject
        self.versions = searching.versions
        self.tell = searching.tell
        self.end = searching.end
        self.runs = searching.runs
        self.refusal = ""

    def found(self) -> Counterexample | None:
        """Values first: that they differ says more than that something is undefined."""
        cases = self.subject.cases()
        new = self.subject.compiled(self.versions.transformed, "transformed")
        start = monotonic()
        counted: list[Case] = []
        values_end = start + VALUES_SHARE * (self.end - start)
        found = self._first(new, cases, values_end, counted)
        if not counted:
            raise CannotRun(self.refusal)
        if found is None and (checked := self._checked_new) is not None:
            found = self._first(checked, counted, self.end, [])
        return found

    def _first(
        self, program: Path, cases: Sequence[Case], end: float, counted: list[Case]
    ) -> Counterexample | None:
        """The first case that counts in which a new program differs from the original."""
        for case in cases:
            if case is not cases[0] and monotonic() > end:
                return None
            self._tell(case)
            before = self._run(self._old, case, SLOWEST)
            if before.contents is None or before.seconds > SLOWEST:
                self.refusal = self._why_not(before)
                continue
            difference = self._difference_in_runs(program, case, before)
            if difference is None:
                counted.append(case)
            elif self._is_defined(case, before):
                counted.append(case)
                return Counterexample(
                    tuple(case.values.items()),
                    difference.element,
                    difference.before,
                    difference.after,
                    difference.original,
                    difference.transformed,
                )
        return None

    def _tell(self, case: Case) -> None:
        sizes = ", ".join(f"{name} = {value}" for name, value in case.values.items())
        self.tell(f"comparing {self.subject.name}" + (f" for {sizes}" if sizes else ""))

    def _why_not(self, before: Outcome) -> str:
        """Why a case does not count, as the end of a sentence about the original."""
        status = before.ending.status
        if before.contents is not None or status in (None, -signal.SIGXCPU):
            return "it takes too long"
        if status < 0:
            return f"it was ended by {signal_name(-status)}"
        return "it ended the program before it returned"

    # --- programs and their runs ----------------------------------------------------------------

    @cached_property
    def _old(self) -> Path:
        return self.subject.compiled(self.versions.original, "original")

    @cached_property
    def _checked_old(self) -> Path | None:
        return self._checked(self.versions.original, "original-checked")

    @cached_property
    def _checked_new(self) -> Path | None:
        return self._checked(self.versions.transformed, "transformed-checked")

    def _checked(self, content: bytes, stem: str) -> Path | None:
        """A program that sanitizers watch, if the compiler has some."""
        for flags in ((*faults.FLAGS, faults.FILLED), faults.FLAGS):
            try:
                return self.subject.compiled(content, stem, EXACT_MEMORY, *flags)
            except CannotRun:
                continue
        return None

    def _is_checked(self, program: Path) -> bool:
        return program.name.endswith("-checked")

    def _run(
        self,
        program: Path,
        case: Case,
        seconds: float,
        at_least: float = 1.0,
        threads: int = THREADS,
    ) -> Outcome:
        """A run that may compute for so many seconds, unless the time is up before."""
        is_checked = self._is_checked(program)
        computing = math.ceil(seconds * (SLOWER if is_checked else 1.0))
        waiting = max(at_least, self.end - monotonic())
        limits = Limits(computing, waiting, None if is_checked else MEMORY)
        environment = {**ENVIRONMENT, "OMP_NUM_THREADS": str(threads)}
        environment |= faults.SETTINGS if is_checked else {}
        return self.subject.outcome(program, case, limits, environment)

    def _is_defined(self, case: Case, before: Outcome) -> bool:
        """Does the original do the same each time, and nothing that is undefined?"""
        is_parallel = PARALLEL.search(self.versions.original) is not None
        counts = (*([THREADS] * self.runs), *(OTHER_THREADS if is_parallel else ()))
        runs = [(self._old, threads) for threads in counts]
        runs += [(self._checked_old, THREADS)] if self._checked_old is not None else []
        for program, threads in runs:
            again = self._run(program, case, SLOWEST, CONFIRMING, threads)
            if again.contents is None or again.ending.complaint != before.ending.complaint:
                self.refusal = "the original is not defined in any case that was tried"
                return False
            if self._compared(program, case, before, again) is not None:
                self.refusal = "two runs of the original are not the same"
                return False
        return True

    # --- what differs ---------------------------------------------------------------------------

    def _difference_in_runs(self, program: Path, case: Case, before: Outcome) -> Difference | None:
        for _ in range(self.runs):
            after = self._run(program, case, PATIENCE + FACTOR * before.seconds)
            difference = self._compared(program, case, before, after)
            if difference is not None:
                return difference
        return None

    def _compared(
        self, program: Path, case: Case, before: Outcome, after: Outcome
    ) -> Difference | None:
        status = after.ending.status
        if status is None or status == -signal.SIGKILL:
            return None
        if self._is_checked(program):
            source = program.name + suffix_of(self.versions.options)
            fault = faults.fault_in(after.ending.complaint, source)
            if fault is not None or after.contents is None:
                return self._undefined(case, fault, after) if fault is not None else None
        if status == -signal.SIGXCPU:
            computed = f"still computing after {PATIENCE + FACTOR * before.seconds:.0f} seconds"
            return Difference(self.subject.name, "done at once", computed)
        if status < 0:
            return Difference(self.subject.name, "done", f"ended by {signal_name(-status)}")
        outputs = before.ending.printed, after.ending.printed
        line = first_line_unlike(*outputs, is_exact=self.versions.is_exact)
        if line is not None:
            return Difference(f"line {line.number} of the output", line.before, line.now)
        return self.subject.difference(case, before, after)

    def _undefined(self, case: Case, fault: faults.Fault, after: Outcome) -> Difference:
        line = f", line {fault.line}" if fault.line is not None else ""
        if fault.access:
            element = self.subject.missed(case, fault, after)
            return Difference(element, "not touched", f"{fault.access} {fault.what}{line}")
        element = f"the behaviour of {self.subject.name}"
        return Difference(element, "defined", f"undefined ({fault.what}{line})")
