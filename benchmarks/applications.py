"""What becomes of whole applications?  The programs of ``examples/applications``, file by file.

Each file is optimized as ``loopwright optimize --autodetect`` does it; a file that has no result
stays as it is.  Both programs are compiled by gcc -O3 -march=native, the new one with threads, and
have to verify themselves, at the size of ``make check`` and at their own; without contracted
operations they have to print the same.  "gain" is the seconds that the original tells over those
that the new one tells; of several runs, which take turns, the best counts.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.programs import (
    EXACT,
    GCC,
    OPENMP,
    ROOT,
    BrokenProgramError,
    geometric_mean,
    option_parser,
    run,
)
from loopwright import InputError, NoProof, Result, optimize
from loopwright.tuning.machines import machine_of_system

APPLICATIONS = ROOT / "examples/applications"
STANDARD = "c11"
SLOWER = 0.98
VERIFIED = "VERIFIED"
NOTHING_FOUND = "LW118"


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a region, or of a file as a whole."""

    file: str
    line: int
    function: str
    reason: str = ""
    """Why it stays as it is; empty if it is rewritten."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What became of an application."""

    name: str
    lines: int
    fates: tuple[Fate, ...] = ()
    lost: Mapping[str, str] = field(default_factory=dict[str, str])
    """The files that have no result at all."""
    optimizing: float = 0.0
    """The seconds that it took to optimize them."""
    seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    problem: str = ""

    @property
    def rewritten(self) -> int:
        """The number of regions with a new text."""
        return sum(not each.reason for each in self.fates)

    def gain(self, threads: int) -> float | None:
        """How many times as fast as the original it is."""
        new = self.seconds.get(f"new/{threads}")
        return None if new is None else self.seconds["gcc"] / new


@dataclass(frozen=True, slots=True)
class Plan:
    """How often programs run, on how many threads, and for how long."""

    threads: tuple[int, ...]
    repeat: int
    limit: float


def chosen(only: str) -> list[Path]:
    """The applications with one of the given parts in their name."""
    found = sorted(each.parent for each in APPLICATIONS.glob("*/Makefile"))
    return [each for each in found if any(part in each.name for part in only.split(","))]


def check_arguments(application: Path) -> list[str]:
    """What ``make check`` runs a program with.

    >>> check_arguments(APPLICATIONS / "fft")
    ['5', '3']
    """
    makefile = (application / "Makefile").read_text()
    found = re.search(r"^check:.*\n\t\./\w+(.*)$", makefile, re.MULTILINE)
    assert found is not None, f"{application.name} has no check"
    return found[1].split()


def built(
    sources: Sequence[Path], program: Path, flags: Sequence[str], include: Path | None = None
) -> Path:
    """A program of several files."""
    where = [] if include is None else [f"-I{include}"]
    full = [*GCC, *flags, f"-std={STANDARD}", *where, *map(str, sources), "-o", str(program), "-lm"]
    done = subprocess.run(full, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BrokenProgramError(f"{' '.join(full)}: {done.stderr[-2000:]}")
    return program


# --- one application ------------------------------------------------------------------------------


def measured(application: Path, plan: Plan) -> Figures:
    """Optimize an application, verify both programs, and time them."""
    sources = sorted(application.glob("*.c"))
    lines = sum(len(each.read_text().splitlines()) for each in application.glob("*.[ch]"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fates: list[Fate] = []
        lost: dict[str, str] = {}
        before = time.monotonic()
        for source in sources:
            result = optimized(source)
            new = source.read_bytes()
            if isinstance(result, str):
                lost[source.name] = result
            elif result is not None:
                new = result.content
                fates += _fates(source, result)
            (folder / source.name).write_bytes(new)
        spent = time.monotonic() - before
        found = Figures(application.name, lines, tuple(fates), lost, spent)
        try:
            seconds = _compared(application, sources, folder, plan)
        except BrokenProgramError as error:
            return Figures(found.name, lines, found.fates, lost, spent, problem=str(error).strip())
        return Figures(found.name, lines, found.fates, lost, spent, seconds)


def optimized(source: Path) -> Result | str | None:
    """A file, optimized; or why it has no result.  ``None`` if it has no loops for that."""
    try:
        return optimize(source, autodetect=True, machine=machine_of_system(), standard=STANDARD)
    except NoProof as error:
        return f"not proved: {error}".splitlines()[0]
    except InputError as error:
        first = error.diagnostics[0]
        return None if first.code == NOTHING_FOUND else str(first)
    except Exception as error:  # it is ours, and the other files still count
        return f"{type(error).__name__}: {error}"[:200]


def _fates(source: Path, result: Result) -> Iterator[Fate]:
    for each in result.regions:
        reason = each.note.message if each.note is not None else each.reason
        told = "" if each.text is not None else reason or "left as it is"
        yield Fate(source.name, each.scop.span.line, each.scop.function, told)
    for note in result.left_out:
        yield Fate(source.name, note.span.line, "", note.message)


def _compared(
    application: Path, sources: Sequence[Path], folder: Path, plan: Plan
) -> dict[str, float]:
    """The best times of both programs, after all has been verified."""
    new = [folder / each.name for each in sources]
    exact = built(sources, folder / "old.exact", EXACT)
    new_exact = built(new, folder / "new.exact", (*EXACT, *OPENMP), application)
    arguments = check_arguments(application)
    expected = _verified(exact, arguments, 1, plan)[0]
    for threads in plan.threads:
        if _verified(new_exact, arguments, threads, plan)[0] != expected:
            raise BrokenProgramError(f"it prints something else with {threads} threads")
    programs = {("gcc", 1): built(sources, folder / "old", ())}
    program = built(new, folder / "new", OPENMP, application)
    programs |= {(f"new/{threads}", threads): program for threads in plan.threads}
    times: dict[str, list[float]] = {name: [] for name, _ in programs}
    for _ in range(plan.repeat):
        for (name, threads), each in programs.items():
            times[name].append(_verified(each, [], threads, plan)[1])
    return {name: min(known) for name, known in times.items() if known}


def _verified(
    program: Path, arguments: Sequence[str], threads: int, plan: Plan
) -> tuple[str, float]:
    """What a program prints, and the seconds that it tells; it must be pleased with itself."""
    done = run([str(program), *arguments], threads=threads, limit=plan.limit)
    told = re.search(r"^seconds (\S+)$", done.stderr, re.MULTILINE)
    if VERIFIED not in done.stdout or told is None:
        raise BrokenProgramError(f"not verified with {threads} threads:\n{done.stdout[-500:]}")
    return done.stdout, max(float(told[1]), 1e-6)


# --- tables ---------------------------------------------------------------------------------------


def head(plan: Plan) -> str:
    """The first line of the table."""
    names = "".join(f"{f'gain/{each}':>9}" for each in plan.threads)
    return f"{'application':<20}{'lines':>6}{'new':>5}{'kept':>6}{'lost':>6}{'took s':>8}{names}"


def rows(found: Figures, plan: Plan) -> Iterator[str]:
    """An application, and the fates of its regions."""
    kept = len(found.fates) - found.rewritten
    counts = f"{found.rewritten:>5}{kept:>6}{len(found.lost):>6}{found.optimizing:>8.1f}"
    gains = (found.gain(threads) for threads in plan.threads)
    told = "".join(f"{'-' if each is None else f'{each:.2f}':>9}" for each in gains)
    yield f"{found.name:<20}{found.lines:>6}{counts}{told}"
    if found.problem:
        yield f"    WRONG: {found.problem}"
    for name, reason in found.lost.items():
        yield f"    {name}: no result: {reason}"
    for each in found.fates:
        where = f"{each.file}:{each.line}{f' {each.function}' if each.function else ''}"
        yield f"    {where}: {each.reason or 'rewritten'}"


def summary(found: Sequence[Figures], plan: Plan) -> list[str]:
    """The bars."""
    wrong = [each.name for each in found if each.problem]
    lines = [_bar(not wrong, f"all verified: {len(found) - len(wrong)} of {len(found)}")]
    lost = sum(len(each.lost) for each in found)
    lines.append(_bar(not lost, f"no file without a result: {lost} lost"))
    for threads in plan.threads:
        gains = {each.name: gain for each in found if (gain := each.gain(threads)) is not None}
        if not gains:
            continue
        slow = ", ".join(f"{name} {gain:.2f}" for name, gain in gains.items() if gain < SLOWER)
        what = f"none slower, {threads} threads: {slow or 'none'}, mean {geometric_mean(gains):.2f}"
        lines.append(_bar(not slow, what))
    return lines


def _bar(is_met: bool, what: str) -> str:
    return f"{'met' if is_met else 'not met':<9}{what}"


# --- from the command line ------------------------------------------------------------------------


def _plan(arguments: argparse.Namespace) -> Plan:
    threads = tuple(sorted({int(each) for each in arguments.threads.split(",")}))
    return Plan(threads, arguments.repeat, arguments.limit)


def main(given: Sequence[str] | None = None) -> int:
    """Print the table; the status is 1 if a program is wrong, whatever the figures are."""
    parser = option_parser(__doc__, repeat=5)
    parser.add_argument("--threads", default="1,2", metavar="N[,...]", help="numbers of threads")
    parser.add_argument("--limit", type=float, default=120, metavar="S", help="for one process")
    arguments = parser.parse_args(given)
    plan, applications = _plan(arguments), chosen(arguments.only)
    if not applications:
        sys.exit(f"no application is called {arguments.only}")
    found: list[Figures] = []
    if not arguments.json:
        print(head(plan), flush=True)
    for application in applications:
        found.append(measured(application, plan))
        if not arguments.json:
            print(*rows(found[-1], plan), sep="\n", flush=True)
    if arguments.json:
        print(json.dumps([asdict(each) for each in found], indent=1))
    else:
        print(*summary(found, plan), sep="\n")
    return 1 if any(each.problem for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
