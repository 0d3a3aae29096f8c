"""What is a search worth?  The best program that ``loopwright tune`` finds, beside two others.

Each kernel is tuned for the sizes of LARGE and two threads within a budget.  The best program is
compared with the original bit for bit at SMALL, and then timed in one run beside the original,
which gcc -O3 -march=native compiles for one thread, and beside what ``optimize`` makes.  The
programs take turns, and of several runs the best counts.  Each program takes part twice, as if it
were two: by how much the two differ is the noise, and a figure below 1 counts only if it is below
by more than that.

With ``--jobs N`` so many kernels are tuned and timed at a time, each on a pair of cores of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from benchmarks.cpu import BASE, busy_note, require_same
from benchmarks.cpu import Plan as Comparing
from benchmarks.programs import (
    GCC,
    OPENMP,
    SIZES,
    BrokenProgramError,
    Version,
    best_times,
    chosen_kernels,
    compiled,
    geometric_mean,
    option_parser,
    sizes_of,
)

OPTIMIZE, BEST = "optimize", "best"
AGAIN = " again"
PROCESSORS = Path("/sys/devices/system/cpu")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is tuned, for how long, and how it is timed."""

    size: str
    budget: float
    threads: int
    repeat: int
    limit: float
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Result:
    """The best times of a kernel's versions; what was found; or a problem."""

    kernel: str
    seconds: Mapping[str, float] = field(default_factory=dict)
    label: str = ""
    tried: int = 0
    wrong: int = 0
    """Versions that were proved and computed something else."""
    is_optimize: bool = False
    """Is the best program the one that ``optimize`` makes?"""
    is_original: bool = False
    problem: str = ""

    def time(self, version: str) -> float:
        """The best time of a program, of all its runs."""
        same = (OPTIMIZE, BEST) if self.is_optimize and version != BASE else (version,)
        return min(self.seconds[each + suffix] for each in same for suffix in ("", AGAIN))

    def over(self, version: str) -> float:
        """How many times as fast as another program the best one is."""
        same = self.is_optimize if version == OPTIMIZE else self.is_original
        return 1.0 if same else self.time(version) / self.time(BEST)

    @property
    def noise(self) -> float:
        """By what part the times of the same program differ, for the worst of the programs.

        >>> twice = {"gcc": 1.0, "gcc again": 1.02, "optimize": 2.0, "optimize again": 2.0}
        >>> round(Result("k", {**twice, "best": 0.51, "best again": 0.5}).noise, 3)
        0.02
        """
        return self.noise_of(BASE, OPTIMIZE, BEST)

    def noise_of(self, *versions: str) -> float:
        """The same for some of the programs."""
        pairs = [(self.seconds[each], self.seconds[each + AGAIN]) for each in versions]
        return max(max(pair) / min(pair) - 1 for pair in pairs)


# --- one kernel -----------------------------------------------------------------------------------


def measured(kernel: Path, plan: Plan) -> Result:
    """Tune a kernel, compare the results, and time the three programs."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _measured(kernel, plan, Path(folder))
    except (BrokenProgramError, subprocess.TimeoutExpired) as error:
        return Result(kernel.stem, problem=str(error).strip())


def _measured(kernel: Path, plan: Plan, folder: Path) -> Result:
    optimized, tuned = folder / f"optimize-{kernel.name}", folder / f"tuned-{kernel.name}"
    usual = ("--no-tuned", "--quiet", "-o", str(optimized))
    loopwright("optimize", str(kernel), "-D", plan.size, *usual)
    found = tuned_function(kernel, tuned, plan, folder)
    flags = extra_flags(found["compile_with"])
    comparing = Comparing("SMALL", (plan.threads,), 1, plan.limit, with_peers=False)
    require_same(kernel, tuned, folder, comparing, flags)
    versions = list(_versions(kernel, optimized, tuned, flags, folder, plan))
    text = tuned.read_bytes()
    return Result(
        kernel.stem,
        best_times(versions, plan.repeat, plan.limit),
        next(each["label"] for each in found["versions"] if each["key"] == found["best"]),
        len(found["versions"]),
        sum(each["status"] == "wrong" for each in found["versions"]),
        is_optimize=not flags and text == optimized.read_bytes(),
        is_original=not flags and text == kernel.read_bytes(),
    )


def loopwright(*arguments: str, limit: float | None = None) -> str:
    """What a command prints; it must succeed."""
    command = [sys.executable, "-m", "loopwright.cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
    if done.returncode:
        raise BrokenProgramError(f"{shlex.join(command)}: {done.stderr[-2000:]}")
    return done.stdout


def tuned_function(kernel: Path, new: Path, plan: Plan, folder: Path) -> dict[str, Any]:
    """Tune a kernel in a store of its own; what the search tells, and its program in a file."""
    options = ["--budget", f"{plan.budget:g}", "--threads", str(plan.threads)]
    options += [
        "--size",
        sizes_option(kernel, plan.size),
        "--quiet",
        "--store",
        str(folder / "tuning.sqlite"),
        "--json",
    ]
    told = loopwright("tune", str(kernel), "-D", plan.size, *options, limit=4 * plan.budget + 300)
    (found,) = json.loads(told)["functions"]
    new.write_text(found["code"])
    return found


def sizes_option(kernel: Path, size: str) -> str:
    """The sizes as an option: parameters have the names of the macros, in small letters.

    >>> from benchmarks.programs import KERNELS
    >>> sizes_option(KERNELS / "atax.c", "LARGE")
    'm=1900,n=2100'
    """
    return ",".join(f"{name.lower()}={value}" for name, value in sizes_of(kernel, size).items())


def extra_flags(command: str) -> tuple[str, ...]:
    """What a command has beyond the usual compiler and its flags.

    >>> extra_flags("gcc -O3 -march=native -fopenmp -funroll-loops")
    ('-funroll-loops',)
    """
    return tuple(each for each in shlex.split(command) if each not in (*GCC, *OPENMP))


def _versions(
    old: Path, optimized: Path, tuned: Path, flags: Sequence[str], folder: Path, plan: Plan
) -> Iterator[Version]:
    """Everything that is timed, compiled, and then all of it again."""
    usual = [*GCC, f"-D{plan.size}"]
    programs = {
        BASE: (compiled(usual, old, folder / "old"), 1),
        OPTIMIZE: (compiled([*usual, *OPENMP], optimized, folder / "optimized"), plan.threads),
        BEST: (compiled([*usual, *OPENMP, *flags], tuned, folder / "best"), plan.threads),
    }
    for suffix in ("", AGAIN):
        for name, (program, threads) in programs.items():
            yield Version(name + suffix, (str(program),), threads)


# --- many kernels ---------------------------------------------------------------------------------


def all_measured(kernels: Sequence[Path], plan: Plan) -> Iterator[Result]:
    """The results as soon as they are known, so many kernels at a time as the plan says."""
    if plan.jobs == 1:
        yield from (measured(each, plan) for each in kernels)
        return
    places: SimpleQueue[set[int]] = SimpleQueue()
    for each in core_groups(plan.jobs, plan.threads, os.sched_getaffinity(0), PROCESSORS):
        places.put(each)

    def pinned(kernel: Path) -> Result:
        # Of a thread, and of the processes that it starts.
        cores = places.get()
        try:
            os.sched_setaffinity(0, cores)
            return measured(kernel, plan)
        finally:
            places.put(cores)

    with ThreadPoolExecutor(plan.jobs) as pool:
        for done in as_completed([pool.submit(pinned, each) for each in kernels]):
            yield done.result()


def core_groups(groups: int, size: int, available: Set[int], known: Path) -> list[set[int]]:
    """Disjoint groups of cores, no core of two threads twice; it is an error if there are few."""
    cores: dict[str, int] = {}
    for each in sorted(available):
        siblings = known / f"cpu{each}/topology/thread_siblings_list"
        cores.setdefault(siblings.read_text() if siblings.exists() else str(each), each)
    free = sorted(cores.values())
    if len(free) < groups * size:
        sys.exit(f"--jobs {groups} takes {groups * size} cores, and there are {len(free)}")
    return [set(free[at * size : (at + 1) * size]) for at in range(groups)]


# --- tables ---------------------------------------------------------------------------------------


def head() -> str:
    """The first line of the table."""
    names = ("gcc s", "optimize", "best", "best/opt", "noise", "tried")
    return f"{'kernel':<16}{''.join(f'{name:>10}' for name in names)}  best version"


def row(result: Result) -> str:
    """A line of the table: times of gcc, and how many times as fast the others are."""
    if result.problem:
        return f"{result.kernel:<16}  WRONG: {result.problem}"
    optimize = result.time(BASE) / result.time(OPTIMIZE)
    figures = "".join(
        f"{each:>10.2f}" for each in (optimize, result.over(BASE), result.over(OPTIMIZE))
    )
    faults = f"  {result.wrong} WRONG" if result.wrong else ""
    return (
        f"{result.kernel:<16}{result.time(BASE):>10.4f}{figures}{result.noise:>10.1%}"
        f"{result.tried:>10}  {result.label}{faults}"
    )


def losses(results: Sequence[Result], version: str) -> dict[str, float]:
    """The kernels that are slower than another program by more than the noise of the two."""
    found = {each.kernel: (each.over(version), each.noise_of(version, BEST)) for each in results}
    return {kernel: over for kernel, (over, noise) in found.items() if over < 1 / (1 + noise)}


def summary(results: Sequence[Result]) -> list[str]:
    """The means, the worst ones, and whether anything has become slower."""
    good = [each for each in results if not each.problem]
    if not good:
        return ["nothing was measured"]
    lines = [f"geometric means of {len(good)} kernels:"]
    for version in (BASE, OPTIMIZE):
        found = {each.kernel: each.over(version) for each in good}
        worst = sorted(found.items(), key=lambda each: each[1])[:3]
        told = ", ".join(f"{kernel} {over:.2f}" for kernel, over in worst)
        lines.append(f"  best over {version:<9}{geometric_mean(found):>6.2f}, the worst: {told}")
    noises = {each.kernel: each.noise for each in good}
    noisiest = max(noises, key=lambda each: noises[each])
    middle = statistics.median(noises.values())
    lines.append(
        f"noise: the same program twice differs by {middle:.1%} in the middle and by "
        f"{noises[noisiest]:.1%} at most ({noisiest})"
    )
    for version in (BASE, OPTIMIZE):
        lost = ", ".join(f"{name} {over:.2f}" for name, over in losses(good, version).items())
        is_met = "met" if not lost else "not met"
        lines.append(f"{is_met:<9}never below 1.0 of {version} within noise: {lost or 'none'}")
    return lines


def document(results: Sequence[Result], plan: Plan) -> str:
    """Everything as JSON."""
    good = [each for each in results if not each.problem]
    over = {
        version: {each.kernel: each.over(version) for each in good} for version in (BASE, OPTIMIZE)
    }
    whole = {
        "plan": asdict(plan),
        "kernels": [asdict(each) for each in results],
        "over": over,
        "noise": {each.kernel: each.noise for each in good},
        "geometric_means": {name: geometric_mean(found) for name, found in over.items() if found},
        "slower": {version: losses(good, version) for version in (BASE, OPTIMIZE)},
    }
    return json.dumps(whole, indent=1)


# --- from the command line ------------------------------------------------------------------------


def _plan(arguments: argparse.Namespace) -> Plan:
    return Plan(
        arguments.size,
        arguments.budget,
        arguments.threads,
        arguments.repeat,
        arguments.limit,
        arguments.jobs,
    )


def main(given: Sequence[str] | None = None) -> int:
    """Print the table; the status is 1 if a program is wrong, whatever the figures are."""
    parser = option_parser(__doc__, repeat=7)
    parser.add_argument("--size", choices=SIZES, default="LARGE")
    parser.add_argument("--budget", type=float, default=120, metavar="S", help="for each kernel")
    parser.add_argument("--threads", type=int, default=2, metavar="N")
    parser.add_argument("--limit", type=float, default=120, metavar="S", help="for one process")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="kernels at a time")
    plan = _plan(arguments := parser.parse_args(given))
    chosen = chosen_kernels(arguments.only)
    if not arguments.json:
        print(*busy_note(os.getloadavg()[0]), head(), sep="\n", flush=True)
    found: list[Result] = []
    for each in all_measured(chosen, plan):
        found.append(each)
        if not arguments.json:
            print(row(each), flush=True)
    if arguments.json:
        print(document(found, plan))
    else:
        print("", *summary(found), sep="\n")
    return 1 if any(each.problem or each.wrong for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
