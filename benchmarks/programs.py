"""The kernels as programs: which there are, their sizes, how they are compiled and timed.

A program prints ``seconds S`` to stderr for each of its ``--repeat K`` runs.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "benchmarks/kernels"
SIZES = ("MINI", "SMALL", "MEDIUM", "LARGE")
GCC = ("gcc", "-O3", "-march=native")
CLANGS = ("clang-19", "clang-20", "clang-18", "clang")
POLLY = ("-mllvm", "-polly")
POLLY_PARALLEL = (*POLLY, "-mllvm", "-polly-parallel")
OPENMP = ("-fopenmp",)
EXACT = ("-ffp-contract=off",)
"""No product and sum in one rounding, which a compiler may choose differently in other loops."""

LEAST_RUNS = 3
CLOSE = 1.02
"""A best time is believed when the second best is at most so many times as long."""

ENOUGH_SECONDS = 0.5
"""A process repeats a short kernel for about so long ..."""

MOST_REPETITIONS = 50
"""... but no more often than this."""


RESOLUTION = 1e-6
"""Programs print their seconds with six digits after the point."""


class BrokenProgramError(Exception):
    """A program does not compile, does not run, or takes too long."""


def option_parser(description: str | None, *, repeat: int) -> argparse.ArgumentParser:
    """The options that every benchmark of programs has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--repeat", type=int, default=repeat, help="at most so many runs of each")
    parser.add_argument(
        "--only", default="", metavar="NAME[,...]", help="kernels with one of these in their name"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parser


def chosen_kernels(only: str) -> list[Path]:
    """The kernels with one of the given parts in their name; it is an error if there are none."""
    parts = only.split(",")
    chosen = [
        path for path in sorted(KERNELS.glob("*.c")) if any(part in path.stem for part in parts)
    ]
    if not chosen:
        sys.exit(f"no kernel is called {only}")
    return chosen


def macros_of(kernel: Path) -> list[str]:
    """The names of the sizes of a kernel.

    >>> macros_of(KERNELS / "atax.c")
    ['M', 'N']
    """
    return re.findall(r"#define (\w+) BENCH_SIZE", kernel.read_text())


def sizes_of(kernel: Path, size: str) -> dict[str, int]:
    """The values of the sizes of a kernel.

    >>> sizes_of(KERNELS / "atax.c", "LARGE")
    {'M': 1900, 'N': 2100}
    """
    lines = re.findall(r"#define (\w+) BENCH_SIZE\((.*)\)", kernel.read_text())
    return {name: int(values.split(",")[SIZES.index(size)]) for name, values in lines}


# --- compiling ------------------------------------------------------------------------------------


def clang() -> str | None:
    """The name of clang here, if there is one."""
    return next((each for each in CLANGS if shutil.which(each)), None)


@functools.cache
def is_usable(*command: str) -> bool:
    """Does the compiler know these flags, and can it link what they need?"""
    if shutil.which(command[0]) is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text(
            "int main(int n, char **v)\n{\n  int a[9] = {0};\n  (void)v;\n"
            "#pragma omp parallel for\n  for (int i = 0; i < 9; i++)\n    a[i] += n;\n"
            "  return a[n % 9] - n;\n}\n"
        )
        full = [*command, str(source), "-o", str(Path(folder, "probe"))]
        if subprocess.run(full, capture_output=True, check=False, timeout=60).returncode:
            return False
        return not subprocess.run([str(Path(folder, "probe"))], check=False).returncode


def compiled(
    command: Sequence[str], source: Path, program: Path, libraries: Sequence[str] = ()
) -> Path:
    """The program, compiled by a command; other directories are searched for ``bench.h``."""
    full = [*command, "-std=gnu11", f"-I{KERNELS}", str(source), "-o", str(program), "-lm"]
    done = subprocess.run([*full, *libraries], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BrokenProgramError(f"{' '.join(full)}: {done.stderr[-2000:]}")
    return program


# --- running --------------------------------------------------------------------------------------


def run(command: Sequence[str], *, threads: int, limit: float) -> subprocess.CompletedProcess[str]:
    """Run a program with so many threads; it must succeed, and in time."""
    count = str(threads)
    environment = {**os.environ, "OMP_NUM_THREADS": count, "OPENBLAS_NUM_THREADS": count}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=limit,
            env=environment,
            cwd=ROOT,
        )
    except subprocess.TimeoutExpired:
        raise BrokenProgramError(f"{' '.join(command)}: more than {limit:g} s") from None
    if done.returncode:
        raise BrokenProgramError(
            f"{' '.join(command)}: status {done.returncode}\n{done.stderr[-2000:]}"
        )
    return done


def results(program: Path, *, threads: int, limit: float) -> str:
    """The arrays that a kernel computes, as text."""
    return run([str(program), "--dump"], threads=threads, limit=limit).stdout


def times(command: Sequence[str], repetitions: int, *, threads: int, limit: float) -> list[float]:
    """The seconds of each repetition in one process."""
    full = [*command, "--repeat", str(repetitions)]
    done = run(full, threads=threads, limit=limit)
    told = re.findall(r"^seconds (\S+)$", done.stderr, re.MULTILINE)
    return [max(float(each), RESOLUTION) for each in told]


@dataclass(frozen=True, slots=True)
class Version:
    """One way to compute the same: a command that prints its times, and its threads."""

    name: str
    command: tuple[str, ...]
    threads: int = 1


def is_settled(bests: Sequence[float]) -> bool:
    """Would another run hardly be faster?  ``bests`` are the best times of the runs so far.

    >>> is_settled([1.0, 1.3, 1.01]), is_settled([1.0, 1.3, 1.2]), is_settled([1.0, 1.0])
    (True, False, False)
    """
    ordered = sorted(bests)
    return len(ordered) >= LEAST_RUNS and ordered[1] <= CLOSE * ordered[0]


def best_times(versions: Sequence[Version], repeat: int, limit: float) -> dict[str, float]:
    """The best time of each version, in seconds.

    The versions take turns, so that a busy moment of the machine meets them all.
    """
    bests: dict[str, list[float]] = {each.name: [] for each in versions}
    for _ in range(repeat):
        for each in versions:
            known = bests[each.name]
            if not is_settled(known):
                repetitions = _repetitions(known)
                found = times(each.command, repetitions, threads=each.threads, limit=limit)
                known.append(min(found))
    return {name: min(known) for name, known in bests.items()}


def _repetitions(bests: Sequence[float]) -> int:
    """How often a process should repeat the kernel; the first one is there to find out."""
    if not bests:
        return 1
    return max(1, min(MOST_REPETITIONS, round(ENOUGH_SECONDS / min(bests))))


def geometric_mean(values: Mapping[str, float]) -> float:
    """The geometric mean of the values.

    >>> geometric_mean({"a": 1.0, "b": 4.0})
    2.0
    """
    product = 1.0
    for value in values.values():
        product *= value ** (1 / len(values))
    return product
