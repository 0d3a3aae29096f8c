"""How long does the proof take, beside the transformation that it is about?

For each kernel: "transform" is ``optimize`` without any proof; "read back" is the proof that it
makes by itself; "isl" is all that ``check`` does with a certificate (the proof, and the paths of
the text followed one by one), and "z3" what the second opinion takes, from the printed SMT-LIB.  A
kernel whose loops ``optimize`` leaves alone has its loops generated anew in their old order, so
that there is something to prove (marked by a star).  Seconds, the best of several runs; "ratio" is
isl and z3 together over the transformation.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from benchmarks.programs import chosen_kernels, option_parser
from loopwright.certifying import claims_of
from loopwright.choosing import Wanted
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.model.proofs import Proof
from loopwright.pipeline import Outcome, optimize_source
from loopwright.tuning.machines import machine_of_system
from loopwright.verify.read_back import Claim, Evidence, evidence, read_back
from loopwright.verify.solvers import unconfirmed

MEDIAN_BAR = 1.0
WORST_BAR = 20.0
OPTIONS, QUESTION = ReadOptions(define=("LARGE",)), Question()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result:
    """The times of a kernel, in seconds, and what was shown."""

    kernel: str
    is_kept: bool
    statements: int
    obligations: int
    transform: float
    read_back: float
    isl: float
    z3: float

    @property
    def proof(self) -> float:
        """Both solvers together."""
        return self.isl + self.z3


def timed(action: Callable[[], T]) -> tuple[float, T]:
    """How long it takes, and what comes out."""
    started = perf_counter()
    found = action()
    return perf_counter() - started, found


def transformed(kernel: Path, *, reschedule: bool) -> Outcome:
    """The new program, not proved yet."""
    wanted = Wanted(reschedule, prove=False, machine=machine_of_system())
    return optimize_source(str(kernel), kernel.read_bytes(), OPTIONS, QUESTION, wanted)


def shown(claim: Claim) -> Evidence:
    """The proof by isl, or the end of the benchmark."""
    found = evidence(claim)
    if not isinstance(found, Evidence):
        sys.exit(f"{claim.alignment.rewriting.name}: {found}")
    return found


def confirmed(found: Evidence, name: str) -> None:
    """The same by z3."""
    failure = unconfirmed(found.obligations, name)
    if failure is not None:
        obligation, answer = failure
        sys.exit(f"{name}: z3 says {answer} to {obligation.kind}, {obligation.where}")


def measured(kernel: Path, repeat: int) -> Result:
    """The best of several runs of everything."""
    runs = [run(kernel) for _ in range(repeat)]
    names = ("transform", "read_back", "isl", "z3")
    best = {name: min(getattr(each, name) for each in runs) for name in names}
    return Result(**{**asdict(runs[0]), **best})


def run(kernel: Path) -> Result:
    """One run of everything."""
    spent, outcome = timed(lambda: transformed(kernel, reschedule=True))
    is_kept = not claims_of(outcome, OPTIONS, QUESTION)
    if is_kept:
        spent, outcome = timed(lambda: transformed(kernel, reschedule=False))
    claims = claims_of(outcome, OPTIONS, QUESTION)
    back, verdicts = timed(lambda: [read_back(each) for each in claims])
    if not claims or not all(isinstance(each, Proof) for each in verdicts):
        sys.exit(f"{kernel.stem}: {[str(each) for each in verdicts]}")
    by_isl, found = timed(lambda: [shown(each) for each in claims])
    by_z3, _ = timed(lambda: [confirmed(each, kernel.stem) for each in found])
    statements = sum(each.proof.copies + each.proof.moves for each in found)
    obligations = sum(each.proof.obligations for each in found)
    return Result(kernel.stem, is_kept, statements, obligations, spent, back, by_isl, by_z3)


HEAD = (
    f"{'kernel':<18}{'statements':>11}{'obligations':>12}{'transform':>10}{'read back':>10}"
    f"{'isl':>8}{'z3':>8}{'ratio':>8}"
)


def row(result: Result) -> str:
    """A line of the table."""
    name = f"{result.kernel}{' *' if result.is_kept else ''}"
    times = f"{result.transform:>10.2f}{result.read_back:>10.2f}{result.isl:>8.2f}{result.z3:>8.2f}"
    ratio = result.proof / result.transform if result.transform else 0.0
    return f"{name:<18}{result.statements:>11}{result.obligations:>12}{times}{ratio:>8.1f}"


def summary(results: Sequence[Result]) -> list[str]:
    """The bars."""
    median = statistics.median(each.proof for each in results)
    worst = max(results, key=lambda each: each.proof)
    ours = statistics.median(each.transform for each in results)
    return [
        f"{len(results)} kernels, all accepted by isl and by z3; "
        f"{sum(each.obligations for each in results)} obligations",
        f"{_verdict(median < MEDIAN_BAR)}median proof (isl and z3) under {MEDIAN_BAR:g} s: "
        f"{median:.2f} s; the transformation takes {ours:.2f} s",
        f"{_verdict(worst.proof < WORST_BAR)}none over {WORST_BAR:g} s: "
        f"worst {worst.kernel} {worst.proof:.2f} s",
    ]


def _verdict(is_met: bool) -> str:
    return f"{'met' if is_met else 'not met':<9}"


def main(given: Sequence[str] | None = None) -> None:
    """Print the table."""
    arguments = option_parser(__doc__, repeat=2).parse_args(given)
    found: list[Result] = []
    if not arguments.json:
        print(HEAD, flush=True)
    for kernel in chosen_kernels(arguments.only):
        found.append(measured(kernel, arguments.repeat))
        if not arguments.json:
            print(row(found[-1]), flush=True)
    print(
        json.dumps([asdict(each) for each in found], indent=1)
        if arguments.json
        else "\n".join(summary(found))
    )


if __name__ == "__main__":
    main()
