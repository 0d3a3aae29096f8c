"""Every kernel and example, optimized, against the original under every compiler and size.

``PYTHONPATH=. python tests/optimize/matrix.py --jobs 2``.  Each program is optimized and proved in
two ways: as a user gets it, and for a machine with tiny caches, so that small arrays have many
tiles.  Threads start even where there is little to do.  Both are compiled by gcc and clang without
warnings, with sanitizers, -O2 and -O3 -march=native, and run with one and two threads; they must
print what the original prints, compiled in the same way.  The kernels read their sizes from the
environment: those of MINI and SMALL, 1, 2, 3, primes, and sizes next to those of tiles and blocks.

The exit status is 1 if something failed; ``--keep FOLDER`` keeps the new programs.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.programs import KERNELS, ROOT, clang, is_usable, macros_of, sizes_of
from loopwright import NoProof, optimize
from loopwright.fates import Fate
from loopwright.tuning.machines import machine_of_system
from tests.emit.running import CHECKED, STANDARD
from tests.optimize.checking import FAST, SANITIZED, Shape, always_parallel, mapped_for

APPLICATIONS = ROOT / "examples/applications"
EXAMPLES = sorted(
    each for each in (ROOT / "examples").rglob("*.c") if APPLICATIONS not in each.parents
)
SUBJECTS = [*sorted(KERNELS.glob("*.c")), *EXAMPLES]
LEVELS = {"sanitized": SANITIZED, "O2": ["-O2"], "O3": FAST}
THREADS = (1, 2)
TINY = Shape(row=16, l2=4096, expands=True)
ODD = (1, 2, 3, 7, 13)
PRIMES = (7, 13, 2, 17, 5)
"""A different one for each size of a kernel."""

LARGEST = 70
"""Sizes around a tile are tried up to this."""

MOST_SIZES = 9
"""Of so many tiles and blocks, the smallest ones."""

SECONDS = 120
"""For one process, and to optimize one program."""

FOLDERS = (KERNELS, *sorted({path.parent for path in EXAMPLES}))
Sizes = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that should not be; ``detail`` says how to see it again."""

    subject: str
    kind: str
    detail: str


@dataclass(slots=True)
class Outcome:
    """What came of one program."""

    subject: str
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def fail(self, kind: str, detail: str) -> None:
        """Note a failure."""
        self.counts[kind] += 1
        self.failures.append(Failure(self.subject, kind, detail[-3000:]))


@dataclass(frozen=True, slots=True)
class Build:
    """A compiler with its flags."""

    compiler: str
    level: str
    openmp: str

    def command(self, source: Path, program: Path, *, is_new: bool) -> list[str]:
        """How to compile; only new text must be free of warnings."""
        # To clang, -Wall is also about pragmas that it was told not to mind before.
        flags = [*(CHECKED if is_new else STANDARD), "-Wno-unknown-pragmas", *LEVELS[self.level]]
        parallel = [self.openmp] if is_new else []
        sizes = [f'-D{name}=atoi(getenv("SIZE_{name}"))' for name in _macros(source)]
        files = [str(source), "-o", str(program), "-lm"]
        headers = [f"-I{each}" for each in FOLDERS]
        return [self.compiler, *flags, *parallel, *sizes, *headers, *files]


def openmp_flag(compiler: str) -> str:
    """The flag for threads, or only for vectors where there is no library for threads."""
    return "-fopenmp" if is_usable(compiler, "-fopenmp") else "-fopenmp-simd"


def builds(levels: Sequence[str]) -> list[Build]:
    """All compilers that there are, with all flags."""
    compilers = [each for each in ("gcc", clang()) if each and shutil.which(each)]
    return [Build(each, level, openmp_flag(each)) for each in compilers for level in levels]


# --- the programs ---------------------------------------------------------------------------------


def name_of(subject: Path) -> str:
    """A short name: the folder and the stem."""
    return f"{subject.parent.name}/{subject.stem}"


def _macros(source: Path) -> list[str]:
    is_kernel = '"bench.h"' in source.read_text(errors="replace")
    return macros_of(source) if is_kernel else []


def new_program(subject: Path, shape: Shape | None, folder: Path) -> tuple[Path, tuple[Fate, ...]]:
    """The program, optimized and proved, for this machine or for one of that shape."""
    with mapped_for(shape) if shape is not None else nullcontext():
        machine = shape.machine if shape is not None else machine_of_system()
        result = optimize(
            subject,
            machine=machine,
            include=[str(subject.parent)],
            define=["LARGE"],
            timeout=SECONDS,
        )
    result.require_no_mistake()
    folder.mkdir(parents=True)
    path = folder / subject.name
    path.write_text(always_parallel(result.code), errors="surrogateescape")
    return path, result.regions


def interesting_sizes(subject: Path, regions: Sequence[Fate]) -> Iterator[Sizes]:
    """The sizes to run a kernel with; an example has its own."""
    macros = _macros(subject)
    if not macros:
        yield {}
        return
    yield from (sizes_of(subject, each) for each in ("MINI", "SMALL"))
    yield {name: PRIMES[at % len(PRIMES)] for at, name in enumerate(macros)}
    for value in sorted({*ODD, *near_tiles(regions)}):
        yield dict.fromkeys(macros, value)


def near_tiles(regions: Sequence[Fate]) -> set[int]:
    """The sizes of tiles and blocks that are small enough, one less and one more."""
    plans = [nest.plan for region in regions for nest in region.nests]
    used = {size for plan in plans for _, size in plan.tiles}
    used |= {copies for plan in plans for copies in plan.unrolled.values()}
    near = {size + by for size in used for by in (-1, 0, 1) if size + by <= LARGEST}
    return set(sorted(each for each in near if each > 0)[: 3 * MOST_SIZES])


# --- running --------------------------------------------------------------------------------------


def output_of(program: Path, sizes: Sizes, threads: int) -> str:
    """What a program prints, its exit status in the last line; the sign of a NaN is not fixed."""
    values = {f"SIZE_{name}": str(value) for name, value in sizes.items()}
    environment = {**os.environ, **values, "OMP_NUM_THREADS": str(threads)}
    arguments = ["--dump"] if sizes else []
    done = subprocess.run(
        [str(program), *arguments],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
        timeout=SECONDS,
        env=environment,
    )
    told = done.stderr if done.returncode else ""
    told = re.sub(r"^seconds .*\n", "", told, flags=re.MULTILINE)
    return f"{done.stdout.replace('-nan', 'nan')}{done.returncode}\n{told}"


def _compiler_says(command: Sequence[str]) -> str:
    """Why it does not compile; nothing if it does."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    return done.stderr or "no reason" if done.returncode else ""


def compile_all(
    build: Build, subject: Path, variants: Mapping[str, Path], folder: Path, outcome: Outcome
) -> dict[str, Path]:
    """The programs that can be compiled; that the original cannot is no fault of the new ones."""
    found: dict[str, Path] = {}
    for name, source in {"original": subject, **variants}.items():
        program = folder / f"{name}.program"
        command = build.command(source, program, is_new=name != "original")
        told = _compiler_says(command)
        outcome.counts["compiled"] += 1
        if told and name == "original":
            outcome.counts[f"{build.compiler} does not compile the original"] += 1
            return {}
        if told:
            without = [each for each in command if each != "-Werror"]
            is_error = bool(_compiler_says(without))
            outcome.fail(
                "compiler" if is_error else "warning", f"{name}: {' '.join(command)}\n{told}"
            )
            if is_error:
                continue
        found[name] = program
    return found


def check_build(
    build: Build,
    subject: Path,
    variants: Mapping[str, Path],
    sizes: Sequence[Sizes],
    outcome: Outcome,
) -> None:
    """Compile the programs in one way, and compare what they print for all sizes."""
    with tempfile.TemporaryDirectory() as folder:
        programs = compile_all(build, subject, variants, Path(folder), outcome)
        original = programs.pop("original", None)
        if original is None:
            return
        for chosen in sizes:
            expected = output_of(original, chosen, 1)
            if chosen and not expected.endswith("\n0\n"):
                outcome.counts["sizes that the original cannot have"] += 1
                continue
            for name, program in programs.items():
                for threads in THREADS:
                    where = f"{name}, {build}, {dict(chosen)}, {threads} threads"
                    _compare(program, chosen, threads, expected, where, outcome)


def _compare(
    program: Path, sizes: Sizes, threads: int, expected: str, where: str, outcome: Outcome
) -> None:
    try:
        found = output_of(program, sizes, threads)
    except subprocess.TimeoutExpired:
        outcome.fail("time", where)
        return
    outcome.counts["compared"] += 1
    if found != expected:
        kind = "output" if found.splitlines()[-1:] == expected.splitlines()[-1:] else "crash"
        outcome.fail(kind, f"{where}\n{found[-1500:]}")


def checked(subject: Path, levels: Sequence[str], keep: Path | None = None) -> Outcome:
    """All that is to be done with one program."""
    outcome = Outcome(name_of(subject))
    with tempfile.TemporaryDirectory() as scratch:
        folder = (keep or Path(scratch)) / name_of(subject)
        shutil.rmtree(folder, ignore_errors=True)
        variants: dict[str, Path] = {}
        regions: list[Fate] = []
        for name, shape in {"usual": None, "tiny": TINY}.items():
            try:
                path, found = new_program(subject, shape, folder / name)
            except NoProof as error:
                outcome.fail("not proved", f"{name}: {error}")
            except Exception as error:  # whatever it is, it is ours
                outcome.fail("traceback", f"{name}: {''.join(traceback.format_exception(error))}")
            else:
                is_new = any(each.text is not None for each in found)
                outcome.counts[f"{name}: {'optimized' if is_new else 'left alone'}"] += 1
                if is_new:
                    variants[name] = path
                    regions += found
        if variants:
            sizes = list(interesting_sizes(subject, regions))
            for build in builds(levels):
                check_build(build, subject, variants, sizes, outcome)
    return outcome


# --- from the command line ------------------------------------------------------------------------


def report(outcome: Outcome) -> str:
    """A line for a program, and one for each kind of failure with the first of its kind."""
    seen: dict[str, Failure] = {}
    for each in outcome.failures:
        seen.setdefault(each.kind, each)
    runs = f"{outcome.counts['compared']:>6} runs"
    lines = [f"{outcome.subject:<44}{runs}{'' if not seen else '  FAILED'}"]
    for kind, first in seen.items():
        lines.append(f"  {outcome.counts[kind]} x {kind}: {first.detail}")
    return "\n".join(lines)


def main(given: Sequence[str] | None = None) -> int:
    """Check all programs and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="NAME[,...]", help="part of folder/name")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--levels", default=",".join(LEVELS), help="flags: a part of these")
    parser.add_argument("--keep", type=Path, help="a folder for the new programs")
    options = parser.parse_args(given)
    parts = options.only.split(",")
    chosen = [path for path in SUBJECTS if any(part in name_of(path) for part in parts)]
    if not chosen:
        sys.exit(f"no program is called {options.only}")
    levels = options.levels.split(",")
    for build in builds(levels[:1]):
        told = "" if build.openmp == "-fopenmp" else ", without threads: it has no library for them"
        print(f"{build.compiler} {build.openmp}{told}", flush=True)
    started, counts, failed = time.monotonic(), Counter[str](), 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for done in as_completed(
            [pool.submit(checked, each, levels, options.keep) for each in chosen]
        ):
            outcome = done.result()
            counts.update(outcome.counts)
            failed += bool(outcome.failures)
            print(report(outcome), flush=True)
    print(f"\n{len(chosen)} programs in {time.monotonic() - started:.0f} s, {failed} failed")
    for kind, count in counts.most_common():
        print(f"{count:8} {kind}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
