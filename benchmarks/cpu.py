"""How much faster do the kernels become?  Optimized programs beside those of other compilers.

Each kernel is optimized, compared with the original bit for bit at SMALL, and then timed: the
original by gcc -O3 -march=native with one thread, the new text by the same compiler with each
number of threads, and where they are installed clang, Polly, Polly with threads, and OpenBLAS for
the kernels that are matrix products.  All figures are the time of the original over the time of
the other, taken in one run; the programs take turns, and of several runs the best counts.

The column "peers" has the best that Pluto, Polly and PPCG reached, measured on the same kernels
with two threads, on the machine that the bars were set for.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks import openblas
from benchmarks.programs import (
    EXACT,
    GCC,
    KERNELS,
    OPENMP,
    POLLY,
    POLLY_PARALLEL,
    SIZES,
    BrokenProgramError,
    Version,
    best_times,
    chosen_kernels,
    clang,
    compiled,
    geometric_mean,
    is_usable,
    option_parser,
    results,
    sizes_of,
)
from loopwright import NoProof, optimize
from loopwright.tuning.machines import machine_of_system

PEERS: Mapping[str, float] = {
    "2mm": 14.4,
    "3mm": 16.9,
    "adi": 4.3,
    "atax": 1.6,
    "bicg": 5.0,
    "cholesky": 2.4,
    "correlation": 15.6,
    "covariance": 20.7,
    "deriche": 1.1,
    "doitgen": 9.3,
    "durbin": 1.0,
    "fdtd-2d": 1.4,
    "floyd-warshall": 1.4,
    "gemm": 1.5,
    "gemver": 2.5,
    "gesummv": 4.5,
    "gramschmidt": 10.6,
    "heat-3d": 1.6,
    "jacobi-1d": 0.9,
    "jacobi-2d": 1.6,
    "lu": 7.1,
    "ludcmp": 1.1,
    "mvt": 2.5,
    "nussinov": 1.5,
    "seidel-2d": 2.4,
    "symm": 1.4,
    "syr2k": 4.3,
    "syrk": 3.0,
    "trisolv": 1.5,
    "trmm": 22.0,
}
"""For each kernel the best of Pluto, Polly and PPCG over gcc -O3, measured with two threads."""

PEER_MEANS = (
    "Pluto 2.3 (4 kernels slower), Polly with threads 2.0 (3), PPCG 1.1 (11), best of all 3.25"
)
SLOWER = 0.95
MEAN_BARS = {1: 1.8, 2: 2.8}
"""The geometric mean that is wanted, for numbers of threads."""

PEER_THREADS = 2
KERNELS_BAR = 15
"""So many kernels should be at or above the figure of the best peer."""

BLAS_BAR = 0.5
BASE = "gcc"
QUIET = 0.5
"""The load of a machine on which nothing else runs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, and how."""

    size: str
    threads: tuple[int, ...]
    repeat: int
    limit: float
    with_peers: bool


@dataclass(frozen=True, slots=True)
class Result:
    """The best times of a kernel, by version; or a problem."""

    kernel: str
    seconds: Mapping[str, float] = field(default_factory=dict)
    is_new: bool = False
    """Did any loop change?"""

    problem: str = ""

    def speedup(self, version: str) -> float | None:
        """How many times as fast as the original it is."""
        if version not in self.seconds:
            return None
        return self.seconds[BASE] / self.seconds[version]


def ours(threads: int) -> str:
    """The name of the optimized version."""
    return f"ours/{threads}"


def blas(threads: int) -> str:
    """The name of the version with OpenBLAS."""
    return f"openblas/{threads}"


# --- one kernel -----------------------------------------------------------------------------------


def measured(kernel: Path, plan: Plan) -> Result:
    """Optimize a kernel, compare the results, and time all versions."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            new = Path(folder, kernel.name)
            result = optimize(kernel, define=[plan.size], machine=machine_of_system())
            result.require_no_mistake()
            new.write_bytes(result.content)
            require_same(kernel, new, Path(folder), plan)
            versions = list(_versions(kernel, new, Path(folder), plan))
            seconds = best_times(versions, plan.repeat, plan.limit)
            return Result(kernel.stem, seconds, new.read_bytes() != kernel.read_bytes())
    except (BrokenProgramError, NoProof) as error:
        return Result(kernel.stem, problem=str(error).strip())


def require_same(old: Path, new: Path, folder: Path, plan: Plan, more: Sequence[str] = ()) -> None:
    """The two programs must compute the same bits; the new one has more flags."""
    flags = (*GCC, *EXACT, "-DSMALL")
    before = compiled(flags, old, folder / "small.old")
    after = compiled([*flags, *OPENMP, *more], new, folder / "small.new")
    expected = results(before, threads=1, limit=plan.limit)
    for threads in plan.threads:
        if results(after, threads=threads, limit=plan.limit) != expected:
            raise BrokenProgramError(f"other results at SMALL with {_threads(threads)}")


def _versions(old: Path, new: Path, folder: Path, plan: Plan) -> Iterator[Version]:
    """Everything that is timed, compiled."""

    def built(name: str, source: Path, command: Sequence[str], *libraries: str) -> tuple[str]:
        full = [*command, f"-D{plan.size}"]
        return (str(compiled(full, source, folder / name, libraries)),)

    yield Version(BASE, built("gcc", old, GCC))
    program = built("ours", new, (*GCC, *OPENMP))
    for threads in plan.threads:
        yield Version(ours(threads), program, threads)
    if plan.with_peers:
        yield from _peers(old, built, max(plan.threads))
        yield from _blas_versions(old.stem, plan)


def _peers(source: Path, built: Callable[..., tuple[str]], threads: int) -> Iterator[Version]:
    """The same program by other compilers, those that are installed."""
    compiler = clang()
    if compiler is None:
        return
    plain = (compiler, *GCC[1:])
    yield Version("clang", built("clang", source, plain))
    if is_usable(*plain, *POLLY):
        yield Version("polly", built("polly", source, (*plain, *POLLY)))
    if is_usable(*plain, *POLLY_PARALLEL, "-lgomp"):
        program = built("polly.parallel", source, (*plain, *POLLY_PARALLEL), "-lgomp")
        yield Version(f"polly/{threads}", program, threads)


def _blas_versions(kernel: str, plan: Plan) -> Iterator[Version]:
    if kernel in openblas.OPERATIONS and openblas.library() is not None:
        command = (sys.executable, "-m", "benchmarks.openblas", kernel, "--size", plan.size)
        for threads in plan.threads:
            yield Version(blas(threads), command, threads)


# --- tables ---------------------------------------------------------------------------------------


def columns(plan: Plan) -> list[str]:
    """The versions in the table, in their order."""
    peers = ["clang", "polly", f"polly/{max(plan.threads)}"] if plan.with_peers else []
    return [*map(ours, plan.threads), *peers]


def head(plan: Plan) -> str:
    """The first line of the table."""
    names = "".join(f"{name:>10}" for name in columns(plan))
    return f"{'kernel':<16}{'gcc s':>10}{names}{'peers':>10}"


def row(result: Result, plan: Plan) -> str:
    """A line of the table."""
    if result.problem:
        return f"{result.kernel:<16}  WRONG: {result.problem}"
    figures = [result.speedup(name) for name in columns(plan)]
    cells = "".join(f"{'-' if each is None else f'{each:.2f}':>10}" for each in figures)
    best = PEERS[result.kernel]
    notes = [] if result.is_new else ["left alone"]
    mine = result.speedup(ours(PEER_THREADS))
    if mine is not None and mine < best:
        notes.append("below peers")
    told = f"  {', '.join(notes)}" if notes else ""
    return f"{result.kernel:<16}{result.seconds[BASE]:>10.4f}{cells}{best:>10.1f}{told}"


def blas_table(results: Sequence[Result], plan: Plan) -> list[str]:
    """Rates in GFLOP/s next to those of OpenBLAS."""
    lines: list[str] = []
    for result in results:
        for threads in plan.threads:
            share = blas_share(result, threads)
            if share is None:
                continue
            sizes = sizes_of(KERNELS / f"{result.kernel}.c", plan.size)
            work = openblas.OPERATIONS[result.kernel](sizes) / 1e9
            rates = [work / result.seconds[name] for name in (ours(threads), blas(threads))]
            lines.append(
                f"{result.kernel:<16}{threads:>10}{rates[0]:>10.1f}{rates[1]:>10.1f}{share:>10.0%}"
            )
    names = "".join(f"{name:>10}" for name in ("threads", "ours", "OpenBLAS", "share"))
    return [f"{'GFLOP/s':<16}{names}", *lines] if lines else []


def blas_share(result: Result, threads: int) -> float | None:
    """Our rate as a part of OpenBLAS's, which does the same products."""
    mine, theirs = (result.seconds.get(name) for name in (ours(threads), blas(threads)))
    return None if mine is None or theirs is None else theirs / mine


def speedups(results: Sequence[Result], version: str) -> dict[str, float]:
    """The figures of a version, by kernel."""
    found = {each.kernel: each.speedup(version) for each in results}
    return {kernel: value for kernel, value in found.items() if value is not None}


def slower(found: Mapping[str, float]) -> dict[str, float]:
    """The kernels that lose too much."""
    return {kernel: value for kernel, value in found.items() if value < SLOWER}


def summary(results: Sequence[Result], plan: Plan) -> list[str]:
    """The means, and for each bar whether it is met."""
    good = [each for each in results if not each.problem]
    lines = [f"geometric means of {len(good)} kernels, in brackets those below {SLOWER:g}:"]
    for name in columns(plan):
        if found := speedups(good, name):
            lines.append(f"  {name:<10}{geometric_mean(found):>6.2f} ({len(slower(found))})")
    lines.append(f"measured before with 2 threads: {PEER_MEANS}")
    if len(good) < len(PEERS):
        lines.append(f"the bars are meant for all {len(PEERS)} kernels, this is a part of them:")
    return [*lines, *_bars(good, plan)]


def _bars(good: Sequence[Result], plan: Plan) -> Iterator[str]:
    """One line for each bar that can be judged."""
    for threads in plan.threads:
        found = speedups(good, ours(threads))
        # What is left alone is the same text: its ratio is noise.
        new = speedups([each for each in good if each.is_new], ours(threads))
        lost = ", ".join(f"{name} {value:.2f}" for name, value in slower(new).items())
        yield _bar(not lost, f"no kernel below {SLOWER:g}, {_threads(threads)}", lost or "none")
        if found and (bar := MEAN_BARS.get(threads)) is not None:
            mean = geometric_mean(found)
            yield _bar(mean >= bar, f"mean of {bar:g}, {_threads(threads)}", f"{mean:.2f}")
    found = speedups(good, ours(PEER_THREADS))
    if found:
        above = [kernel for kernel, value in found.items() if value >= PEERS[kernel]]
        told = f"{len(above)} of {len(found)}"
        yield _bar(len(above) >= KERNELS_BAR, f"{KERNELS_BAR} kernels at the best peer", told)
    for threads in plan.threads:
        shares = {each.kernel: blas_share(each, threads) for each in good}
        known = {kernel: share for kernel, share in shares.items() if share is not None}
        if known:
            told = ", ".join(f"{kernel} {share:.0%}" for kernel, share in known.items())
            is_met = min(known.values()) >= BLAS_BAR
            yield _bar(is_met, f"{BLAS_BAR:.0%} of OpenBLAS, {_threads(threads)}", told)


def _threads(count: int) -> str:
    return f"{count} thread{'' if count == 1 else 's'}"


def _bar(is_met: bool, what: str, told: str) -> str:
    return f"{'met' if is_met else 'not met':<9}{what}: {told}"


def document(results: Sequence[Result], plan: Plan) -> str:
    """Everything as JSON."""
    versions = sorted({name for each in results for name in each.seconds} - {BASE})
    figures = {name: speedups(results, name) for name in versions}
    means = {name: geometric_mean(found) for name, found in figures.items()}
    whole = {
        "plan": asdict(plan),
        "kernels": [asdict(each) for each in results],
        "speedups": figures,
        "geometric_means": means,
        "best_of_peers": dict(PEERS),
    }
    return json.dumps(whole, indent=1)


def busy_note(load: float) -> list[str]:
    """What to know about times if other programs run.

    >>> busy_note(0.1), busy_note(2.0)
    ([], ['the machine is busy (load 2.0): these times are not to be relied on'])
    """
    if load <= QUIET:
        return []
    return [f"the machine is busy (load {load:.1f}): these times are not to be relied on"]


# --- from the command line ------------------------------------------------------------------------


def _plan(arguments: argparse.Namespace) -> Plan:
    threads = tuple(sorted({int(each) for each in arguments.threads.split(",")}))
    with_peers = not arguments.no_peers
    return Plan(arguments.size, threads, arguments.repeat, arguments.limit, with_peers)


def main(given: Sequence[str] | None = None) -> int:
    """Print the tables; the status is 1 if a program is wrong, whatever the figures are."""
    parser = option_parser(__doc__, repeat=7)
    parser.add_argument("--size", choices=SIZES, default="LARGE")
    parser.add_argument("--threads", default="1,2", metavar="N[,...]", help="numbers of threads")
    parser.add_argument("--limit", type=float, default=120, metavar="S", help="for one process")
    parser.add_argument("--no-peers", action="store_true", help="only gcc and the new programs")
    arguments = parser.parse_args(given)
    plan = _plan(arguments)
    chosen = chosen_kernels(arguments.only)
    if not arguments.json:
        print(*busy_note(os.getloadavg()[0]), head(plan), sep="\n", flush=True)
    found: list[Result] = []
    for kernel in chosen:
        found.append(measured(kernel, plan))
        if not arguments.json:
            print(row(found[-1], plan), flush=True)
    if arguments.json:
        print(document(found, plan))
    else:
        print("", *blas_table(found, plan), *summary(found, plan), sep="\n")
    return 1 if any(each.problem for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
