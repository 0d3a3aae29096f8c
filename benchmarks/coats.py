"""Is a kernel as fast in every coat?  The kernels as four kinds of people would write them.

"plain" is the kernel with its marked region; "suite", "library" and "application" (see
``tailoring.py``) compute the same bits, and their loops have to be found.  All are optimized; a new
text computes the same at SMALL, and is timed beside the original in the same coat by
gcc -O3 -march=native, and beside the new text of the plain kernel.

"proved" says whether every loop of the kernel has a new text with a proof (or is left alone like
that of the plain one), "rung" whether it is the text that there would be without a proof, and
"plan" whether its nests are planned as those of the plain kernel.  "gain" is the time of the
original in that coat over that of the new text, and "plain" the time of the new text over that of
the plain kernel's new text: at most 1.05 is wanted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.cpu import Plan, require_same
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
)
from benchmarks.tailoring import COATS, lines_of_kernel, written
from loopwright import InputError, NoProof, Result, optimize
from loopwright.fates import Fate as RegionFate
from loopwright.tuning.machines import machine_of_system

PLAIN = "plain"
CLOSE = 1.05
"""A coat may cost so much."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a kernel in a coat."""

    kernel: str
    coat: str
    problem: str = ""
    """Why there is no new text of it all, or no proof; empty if there is."""
    is_kept: bool = False
    """Is it left alone, as the plain kernel is?"""
    is_top_rung: bool = False
    has_plan_of_plain: bool = False
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    """The best times, by version."""

    def gain(self, threads: int) -> float | None:
        """How many times as fast as the original in that coat it is."""
        return self._ratio("gcc", f"new/{threads}")

    def beside_plain(self, threads: int) -> float | None:
        """How many times as long as the new text of the plain kernel it takes."""
        return self._ratio(f"new/{threads}", f"plain/{threads}")

    def _ratio(self, one: str, other: str) -> float | None:
        if one not in self.seconds or other not in self.seconds:
            return None
        return self.seconds[one] / self.seconds[other]


# --- one kernel -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A kernel in a coat, optimized."""

    path: Path
    result: Result | None
    problem: str

    @property
    def new(self) -> Path:
        """Where the new text is written, beside its headers."""
        return self.path.with_name(f"new-{self.path.name}")

    def regions(self) -> list[RegionFate]:
        """The regions of the kernel itself, not those around it."""
        assert self.result is not None
        if self.path.parent.name == PLAIN:
            return list(self.result.regions)
        first, last = lines_of_kernel(self.path.read_text())
        return [each for each in self.result.regions if first <= each.scop.span.line <= last]


def _optimized(path: Path, size: str, *, prove: bool = True) -> _Attempt:
    is_plain = path.parent.name == PLAIN
    try:
        found = optimize(
            path,
            define=[size],
            machine=machine_of_system(),
            prove=prove,
            autodetect=not is_plain,
        )
        found.require_no_mistake()
    except (NoProof, InputError) as error:
        return _Attempt(path, None, str(error).strip().splitlines()[0])
    except Exception as error:  # it is ours, and the others still count
        return _Attempt(path, None, f"{type(error).__name__}: {error}"[:200])
    attempt = _Attempt(path, found, "")
    attempt.new.write_bytes(found.content)
    return attempt


def judged(kernel: Path, coats: Sequence[str], plan: Plan, folder: Path) -> Iterator[Fate]:
    """A kernel in the wanted coats."""
    plain = _optimized(written(kernel, None, folder / PLAIN), plan.size)
    is_kept = plain.result is not None and plain.result.content == plain.result.original
    for coat in coats:
        if coat == PLAIN:
            attempt = plain
        else:
            attempt = _optimized(written(kernel, coat, folder / coat), plan.size)
        yield _fate(kernel, coat, attempt, plain, plan, is_kept=is_kept)


def _fate(
    kernel: Path, coat: str, attempt: _Attempt, plain: _Attempt, plan: Plan, *, is_kept: bool
) -> Fate:
    seconds: dict[str, float] = {}
    broken = ""
    try:
        if attempt.result is not None:
            require_same(attempt.path, attempt.new, attempt.path.parent, plan)
        if plan.repeat > 0:
            seconds = best_times(list(_versions(attempt, plain, plan)), plan.repeat, plan.limit)
    except BrokenProgramError as error:
        broken = f"WRONG: {str(error).strip()}"
    if attempt.result is None:
        return Fate(kernel.stem, coat, attempt.problem, seconds=seconds)
    regions = attempt.regions()
    lacking = [each for each in regions if each.proof is None]
    stays = is_kept and len(lacking) == len(regions)
    problem = broken or ("" if stays else _problem(attempt, regions, lacking))
    return Fate(
        kernel.stem,
        coat,
        problem,
        stays,
        not problem and _is_top_rung(attempt, plan.size),
        plain.result is not None and _plans(regions) == _plans(plain.regions()),
        seconds,
    )


def _problem(
    attempt: _Attempt, regions: Sequence[RegionFate], lacking: Sequence[RegionFate]
) -> str:
    assert attempt.result is not None
    if not regions:
        first, last = lines_of_kernel(attempt.path.read_text())
        near = [each for each in attempt.result.notes if first <= each.span.line <= last]
        return "; ".join(each.message for each in near[:2]) or "no region was found"
    told = [each.note.message if each.note is not None else each.reason for each in lacking]
    return "; ".join(told)


def _is_top_rung(attempt: _Attempt, size: str) -> bool:
    """Is it the text that there would be without a proof?"""
    assert attempt.result is not None
    unproved = _optimized(attempt.path, size, prove=False)
    is_same = unproved.result is not None and unproved.result.content == attempt.result.content
    attempt.new.write_bytes(attempt.result.content)
    return is_same


def _plans(regions: Sequence[RegionFate]) -> list[str]:
    """How the nests of regions are planned, but for the names in them."""
    plans = [nest.plan for each in regions for nest in each.nests]
    return [
        f"{[size for _, size in each.tiles]} {sorted(each.unrolled.values())} {each.is_parallel} "
        f"{each.is_wavefront} {each.has_vector_mark} {len(each.packed)}"
        for each in plans
    ]


def _versions(attempt: _Attempt, plain: _Attempt, plan: Plan) -> Iterator[Version]:
    def built(name: str, source: Path, *flags: str) -> tuple[str]:
        program = source.parent / f"{name}.program"
        return (str(compiled([*GCC, *flags, f"-D{plan.size}"], source, program)),)

    yield Version("gcc", built("gcc", attempt.path))
    for name, each in (("new", attempt), ("plain", plain)):
        if each.result is not None:
            program = built(name, each.new, *OPENMP)
            for threads in plan.threads:
                yield Version(f"{name}/{threads}", program, threads)


# --- tables ---------------------------------------------------------------------------------------


def head(plan: Plan) -> str:
    """The first line of the table."""
    names = "".join(f"{f'gain/{each}':>9}{f'plain/{each}':>9}" for each in plan.threads)
    return f"{'kernel':<16}{'coat':<13}{'proved':>7}{'rung':>7}{'plan':>7}{names}"


def row(found: Fate, plan: Plan) -> str:
    """A line of the table, and why there is no proof."""
    proved = "no" if found.problem else "kept" if found.is_kept else "yes"
    rung = "top" if found.is_top_rung else "lost"
    same = "same" if found.has_plan_of_plain else "other"
    ratios = [
        each
        for threads in plan.threads
        for each in (found.gain(threads), found.beside_plain(threads))
    ]
    told = "".join(f"{'-' if each is None else f'{each:.2f}':>9}" for each in ratios)
    line = f"{found.kernel:<16}{found.coat:<13}{proved:>7}{rung:>7}{same:>7}{told}"
    return f"{line}\n    {found.problem}" if found.problem else line


def summary(found: Sequence[Fate], plan: Plan) -> list[str]:
    """The bars."""
    proved = sum(not each.problem for each in found)
    top = sum(each.is_top_rung for each in found)
    lines = [
        _bar(proved == len(found), f"all proved: {proved} of {len(found)}"),
        _bar(top == len(found), f"no rung lost: {top} of {len(found)}"),
    ]
    for threads in plan.threads:
        ratios = {
            f"{each.kernel} ({each.coat})": ratio
            for each in found
            if each.coat != PLAIN and (ratio := each.beside_plain(threads)) is not None
        }
        if not ratios:
            continue
        slow = {name: ratio for name, ratio in ratios.items() if ratio > CLOSE}
        worst = max(ratios, key=lambda name: ratios[name])
        what = (
            f"within {CLOSE - 1:.0%} of plain, {threads} threads: {len(ratios) - len(slow)} of "
            f"{len(ratios)}, mean {geometric_mean(ratios):.2f}, worst {worst} {ratios[worst]:.2f}"
        )
        lines.append(_bar(not slow, what))
    return lines


def _bar(is_met: bool, what: str) -> str:
    return f"{'met' if is_met else 'not met':<9}{what}"


# --- from the command line ------------------------------------------------------------------------


def _coats(given: str) -> list[str]:
    known = [PLAIN, *COATS]
    wanted = given.split(",") if given else known
    if unknown := sorted(set(wanted) - set(known)):
        sys.exit(f"no coat is called {', '.join(unknown)}")
    return [each for each in known if each in wanted]


def _plan(arguments: argparse.Namespace) -> Plan:
    threads = tuple(sorted({int(each) for each in arguments.threads.split(",")}))
    return Plan(arguments.size, threads, arguments.repeat, arguments.limit, with_peers=False)


def main(given: Sequence[str] | None = None) -> int:
    """Print the table; the status is 1 if a program is wrong, whatever the figures are."""
    parser = option_parser(__doc__, repeat=5)
    parser.add_argument("--size", choices=SIZES, default="LARGE")
    parser.add_argument("--coats", default="", metavar="NAME[,...]", help="only these coats")
    parser.add_argument("--threads", default="1,2", metavar="N[,...]", help="numbers of threads")
    parser.add_argument("--limit", type=float, default=120, metavar="S", help="for one process")
    arguments = parser.parse_args(given)
    plan, coats = _plan(arguments), _coats(arguments.coats)
    found: list[Fate] = []
    if not arguments.json:
        print(head(plan), flush=True)
    for kernel in chosen_kernels(arguments.only):
        with tempfile.TemporaryDirectory() as folder:
            for each in judged(kernel, coats, plan, Path(folder)):
                found.append(each)
                if not arguments.json:
                    print(row(each, plan), flush=True)
    if arguments.json:
        print(json.dumps([asdict(each) for each in found], indent=1))
    else:
        print(*summary(found, plan), sep="\n")
    return 1 if any(each.problem.startswith("WRONG") for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
