"""Every interleaving of the kernels as a program: proved, compiled, run, the same bit for bit?

``PYTHONPATH=. python tests/interleaving/candidates.py --only gemver``.  Each point of F at the
outermost level, for kernels of up to seven statements, is mapped to this machine with and without
reads near each other, proved, compiled as the original is, and run at MINI and SMALL with two
threads.  A text that several points have in common is run once (by each of ``--jobs`` processes).
The exit status is 1 if a program computes something else, or if there is no proof.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

import islpy as isl

from benchmarks.programs import (
    EXACT,
    GCC,
    OPENMP,
    BrokenProgramError,
    chosen_kernels,
    compiled,
    option_parser,
    results,
)
from loopwright import NoProof
from loopwright.basics.records import record
from loopwright.choosing import Wanted
from loopwright.fates import Outcome
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.interleaving.optimizer import Optimizer, Options
from loopwright.model.dependences import Dependences
from loopwright.model.scop import Scop
from loopwright.pipeline import optimize_source
from loopwright.targets.cpu import Mapped, MappingOptions, mapped
from loopwright.tuning.machines import machine_of_system
from tests.interleaving.kernels import kernel_program
from tests.interleaving.oracle import MOST_STATEMENTS

SIZES = ("MINI", "SMALL")
THREADS = 2
SECONDS = 120.0


@record
class Part:
    """Every point of a kernel whose number is this one's, modulo the number of parts."""

    kernel: Path
    depth: int
    number: int
    parts: int


def outcomes(part: Part) -> Iterator[tuple[str, Outcome | str]]:
    """A program for each point, or why there is none; what has the same tree comes once."""
    path, depth = part.kernel, part.depth
    of = kernel_program(path.stem)
    seen: list[isl.Schedule] = []
    for near in (False, True):
        for point in Optimizer(of, Options(near=near)).all(depth):
            if any(point.tree.plain_is_equal(each) for each in seen):
                continue
            seen.append(point.tree)
            if len(seen) % part.parts != part.number:
                continue
            name = f"{point.interleaving}{' near' if near else ''}"
            try:
                yield name, new_program(path, point.tree)
            except NoProof as problem:
                yield name, problem.diagnostic.message


def new_program(path: Path, tree: isl.Schedule) -> Outcome:
    """The kernel in the order of a tree, proved."""
    machine = machine_of_system()

    def choose(scop: Scop, found: Dependences) -> Mapped:
        del scop
        return mapped(tree, found, machine, MappingOptions(distributes=False))

    wanted = Wanted(machine=machine, chooser=choose, deadline=monotonic() + SECONDS)
    outcome = optimize_source(str(path), path.read_bytes(), ReadOptions(), Question(), wanted)
    outcome.require_no_mistake()
    return outcome


class Judge:
    """Runs programs beside the original."""

    def __init__(self, kernel: Path, folder: Path) -> None:
        self.folder = folder
        self.expected = {
            size: results(self._compiled(kernel, size), threads=1, limit=SECONDS) for size in SIZES
        }

    def _compiled(self, source: Path, size: str) -> Path:
        flags = (*GCC, *EXACT, *OPENMP, f"-D{size}")
        return compiled(flags, source, self.folder / f"program.{size}")

    def is_same(self, content: bytes) -> bool:
        """Does a text compute what the original does?"""
        source = self.folder / "new.c"
        source.write_bytes(content)
        return all(
            results(self._compiled(source, size), threads=THREADS, limit=SECONDS) == expected
            for size, expected in self.expected.items()
        )


def judged(part: Part) -> Counter[str]:
    """How the programs of a kernel fared."""
    counts: Counter[str] = Counter()
    seen: set[bytes] = set()
    path = part.kernel
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(path, Path(folder))
        for name, outcome in outcomes(part):
            counts["points"] += 1
            if isinstance(outcome, str) or any(each.text is None for each in outcome.regions):
                counts["without a proof"] += 1
                print(f"{path.stem}: {name}: {reason(outcome)}", flush=True)
            elif outcome.content in seen:
                counts["the same text"] += 1
            else:
                seen.add(outcome.content)
                verdict = "same" if judge.is_same(outcome.content) else "DIFFERENT"
                counts[verdict] += 1
                if verdict != "same":
                    print(f"{path.stem}: {name}: {verdict}", flush=True)
    return counts


def reason(outcome: Outcome | str) -> str:
    """Why a region is left alone."""
    if isinstance(outcome, str):
        return outcome
    (region,) = outcome.regions
    return region.reason or (region.note.message if region.note else "left alone")


def main() -> None:
    """Judge the kernels, and count."""
    parser = option_parser(__doc__, repeat=1)
    parser.add_argument("--depth", type=int, default=1, help="of the interleavings")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        for path in chosen_kernels(options.only):
            if len(kernel_program(path.stem).statements) > MOST_STATEMENTS:
                continue
            parts = [Part(path, options.depth, at, options.jobs) for at in range(options.jobs)]
            try:
                counts = sum(pool.map(judged, parts), Counter[str]())
            except BrokenProgramError as problem:
                counts = Counter({"broken": 1})
                print(f"{path.stem}: {problem}", flush=True)
            print(f"{path.stem}: {dict(counts)}", flush=True)
            total += counts
    print(f"all: {dict(total)}")
    sys.exit(bool(total["DIFFERENT"] or total["broken"] or total["without a proof"]))


if __name__ == "__main__":
    main()
