"""Scheduling beside isl's own scheduler: how long it takes, and how good the schedules are.

Both get the same constraints, made anew for each run because isl caches what it finds out about its
objects, and PPCG's options.  Times are the best of several runs, in milliseconds.  A schedule is
judged by the outermost band that moves each statement: its members and its leading coincident ones,
added up over all statements; by the largest coefficient of an iterator; and by the largest distance
of proximity constraints in outermost bands, with all parameters at one size.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import islpy as isl

from benchmarks.dependence import ENOUGH_MILLISECONDS, LENGTHS, chain_of_stencils
from loopwright import ScheduleConstraints, constraints_of, dependences, read_c, schedule
from loopwright.basics.diagnostics import InputError
from loopwright.model.dependences import Dependences
from loopwright.polyhedra.order import leaf_instances, member_times, together_above
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.polyhedra.unions import sets_of
from loopwright.scheduling.options import PPCG
from tests.scheduling.lbm import D3Q19, lbm
from tests.scheduling.oracle import scheduled_by_isl
from tests.scheduling.random_constraints import Case, seeded_case

ROOT = Path(__file__).resolve().parent.parent
TOTAL_TIME_BAR = 4.0
EXPONENT_BAR = 2.0
LARGE_REGION_BAR = 10.0
NO_ISL_SCHEDULE = "isl has no schedule"
RANDOM_SEED = 1
RANDOM_INPUTS = 30
SIZES = (20, 5, 2, 1)
"""The distance of constraints is measured with all parameters at the first of these that fits."""

Given = Dependences | ScheduleConstraints


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """Something to schedule; ``fresh`` makes it anew."""

    name: str
    fresh: Callable[[], Given]


# --- inputs ---------------------------------------------------------------------------------------


def all_inputs() -> Iterator[Input]:
    """The kernels, every region of every example, and random constraints."""
    for path in sorted((ROOT / "benchmarks/kernels").glob("*.c")):
        yield from _regions(path, path.stem)
    for path in sorted((ROOT / "examples").rglob("*.c")):
        yield from _regions(path, f"{path.parent.name}/{path.stem}")
    yield from random_inputs()


def _regions(path: Path, name: str) -> Iterator[Input]:
    include = [str(path.parent)]
    for at, scop in enumerate(read_c(path, include=include, define=["MINI"])):

        def fresh(at: int = at) -> Dependences:
            return dependences(read_c(path, include=include, define=["MINI"])[at])

        try:
            dependences(scop)
        except InputError:
            continue  # too complex to be analysed
        yield Input(name if at == 0 else f"{name}#{at}", fresh)


def random_inputs() -> Iterator[Input]:
    """Constraints without a program behind them."""
    seed, found = RANDOM_SEED, 0
    while found < RANDOM_INPUTS:
        case: Case = seeded_case(seed)
        if not case.program and "validity" in dict(case.relations):
            yield Input(f"random/{seed}", case.constraints)
            found += 1
        seed += 1


# --- the two schedulers ---------------------------------------------------------------------------


def our_schedule(given: Given) -> isl.Schedule:
    """Ours."""
    return schedule(given).tree


def isl_schedule(given: Given) -> isl.Schedule:
    """The schedule of isl with PPCG's options."""
    return scheduled_by_isl(_constraints(given), PPCG)


def _constraints(given: Given) -> ScheduleConstraints:
    return constraints_of(given) if isinstance(given, Dependences) else given


# --- how good is a schedule? ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Quality:
    """What is counted about a schedule; by statement where that makes sense."""

    coincident: dict[str, int]
    depth: dict[str, int]
    coefficient: int
    bound: float


def quality(tree: isl.Schedule, given: Given) -> Quality:
    """The counts for a schedule of these constraints."""
    asked = _constraints(given)
    bands = bands_of(tree)
    coincident: dict[str, int] = {}
    depth: dict[str, int] = {}
    outermost: dict[int, isl.ScheduleNode] = {}
    instances = sets_of(leaf_instances(tree).intersect_params(asked.context))
    for number, band in enumerate(bands):
        flags = [bool(band.band_member_get_coincident(at)) for at in range(band.band_n_member())]
        leading = flags.index(False) if False in flags else len(flags)
        for each in instances:
            name = each.get_tuple_name() or ""
            moving = _moving_members(band, each)
            if name not in depth and any(moving):
                most = _dimensions(each)
                coincident[name] = min(most, sum(moving[:leading]))
                depth[name] = min(most, sum(moving))
                outermost[number] = band
    return Quality(
        coincident,
        depth,
        max(map(_largest_factor, bands), default=0),
        max((_distance(each, asked) for each in outermost.values()), default=0),
    )


def _dimensions(instances: isl.Set) -> int:
    equalities = instances.affine_hull().remove_divs().get_constraints()
    return instances.dim(isl.dim_type.set) - sum(each.is_equality() for each in equalities)


def _moving_members(band: isl.ScheduleNode, instances: isl.Set) -> list[bool]:
    """For each member: does it give instances of the statement different times?"""
    found: list[bool] = []
    for at in range(band.band_n_member()):
        times = isl.UnionMap.from_multi_union_pw_aff(member_times(band, at))
        seen = sets_of(isl.UnionSet.from_set(instances).apply(times))
        found.append(any(not each.lex_lt_set(each).is_empty() for each in seen))
    return found


def _factors(times: isl.MultiUnionPwAff) -> dict[str, list[int]]:
    """For each statement the factors of its iterators, and of whole parts if there are any."""
    found: dict[str, list[int]] = {}
    functions = times.get_at(0).get_pw_aff_list()
    for index in range(len(functions)):
        function = functions.get_at(index)
        name = function.get_space().get_tuple_name(isl.dim_type.in_) or ""
        factors = found.setdefault(name, [])
        for _, aff in function.get_pieces():
            for kind in (isl.dim_type.in_, isl.dim_type.div):
                values = (aff.get_coefficient_val(kind, at) for at in range(aff.dim(kind)))
                factors += [abs(int(value.get_num_si())) for value in values]
    return found


def _largest_factor(band: isl.ScheduleNode) -> int:
    every = (
        factor
        for at in range(band.band_n_member())
        for factors in _factors(member_times(band, at)).values()
        for factor in factors
    )
    return max(every, default=0)


def _distance(band: isl.ScheduleNode, asked: ScheduleConstraints) -> float:
    """How far apart a member runs pairs that should be close."""
    pairs = together_above(band, 0, asked.proximity.intersect_params(asked.context))
    instances = leaf_instances(band.get_schedule())
    pairs = pairs.intersect_domain(instances).intersect_range(instances)
    for size in SIZES:
        there = _at_size(pairs, size)
        if not there.is_empty():
            return max(_widest(there, band, at) for at in range(band.band_n_member()))
    return 0


def _at_size(pairs: isl.UnionMap, size: int) -> isl.UnionMap:
    space = pairs.get_space()
    names = [
        space.get_dim_name(isl.dim_type.param, at) for at in range(space.dim(isl.dim_type.param))
    ]
    fixed = " and ".join(f"{name} = {size}" for name in names) or "true"
    return pairs.intersect_params(isl.Set(f"[{', '.join(map(str, names))}] -> {{ : {fixed} }}"))


def _widest(pairs: isl.UnionMap, band: isl.ScheduleNode, member: int) -> float:
    times = isl.UnionMap.from_multi_union_pw_aff(member_times(band, member))
    distances = pairs.apply_domain(times).apply_range(times).deltas()
    widest = 0.0
    for each in sets_of(distances):
        flat = each.project_out_all_params()
        for value in (flat.dim_max_val(0), flat.dim_min_val(0)):
            widest = max(widest, math.inf if not value.is_int() else abs(value.to_python()))
    return widest


# --- measuring ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """One input, ours and isl's."""

    name: str
    our_ms: float
    isl_ms: float
    ours: Quality | None = None
    isls: Quality | None = None
    problem: str = ""

    def worse(self) -> list[str]:
        """In what ours is worse, statement by statement."""
        if self.ours is None or self.isls is None:
            return []
        found: list[str] = []
        for what in ("coincident", "depth"):
            mine, theirs = getattr(self.ours, what), getattr(self.isls, what)
            pairs = [(each, mine.get(each, 0), theirs[each]) for each in sorted(theirs)]
            fewer = [f"{name} {less}<{more}" for name, less, more in pairs if less < more]
            if fewer:
                gained = sum(mine.values()) - sum(theirs.values())
                found.append(f"{what} {gained:+} in all: {', '.join(fewer)}")
        return found


def best(action: Callable[[Given], isl.Schedule], given: Input, repeat: int) -> float:
    """The shortest of several runs on constraints that were just made, in milliseconds."""
    times: list[float] = []
    for _ in range(repeat):
        fresh = given.fresh()
        started = time.process_time()
        action(fresh)
        times.append(1000 * (time.process_time() - started))
        if sum(times) > ENOUGH_MILLISECONDS:
            break
    return min(times)


def _asked(given: Input) -> Callable[[], ScheduleConstraints]:
    """Without what the schedule constraints cost, which are no work of isl's."""
    return lambda: _constraints(given.fresh())


def measure(given: Input, repeat: int) -> Result:
    """Time both schedulers and look at their schedules."""
    asked = given.fresh()
    try:
        isl_ms = best(isl_schedule, Input(given.name, _asked(given)), repeat)
        isls = quality(isl_schedule(asked), asked)
    except InputError:
        return Result(given.name, 0, 0, problem=NO_ISL_SCHEDULE)
    try:
        our_ms = best(our_schedule, given, repeat)
        ours = quality(our_schedule(asked), asked)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}".splitlines()[0]
        return Result(given.name, 0, 0, problem=problem)
    return Result(given.name, our_ms, isl_ms, ours, isls)


def row(result: Result) -> str:
    """A line of the table."""
    if result.ours is None or result.isls is None:
        return f"{result.name:<42}{result.problem}"
    ours, isls = result.ours, result.isls
    pairs = [
        (sum(ours.coincident.values()), sum(isls.coincident.values())),
        (sum(ours.depth.values()), sum(isls.depth.values())),
        (ours.coefficient, isls.coefficient),
        (ours.bound, isls.bound),
    ]
    counts = "".join(f"{f'{mine:g}/{theirs:g}':>12}" for mine, theirs in pairs)
    ratio = result.our_ms / result.isl_ms
    mark = "  worse" if result.worse() else ""
    return f"{result.name:<42}{result.our_ms:>9.1f}{result.isl_ms:>9.1f}{ratio:>7.2f}{counts}{mark}"


def summary(results: Sequence[Result]) -> list[str]:
    """The totals, and where ours is worse."""
    good = [each for each in results if each.ours is not None]
    ours, isls = sum(each.our_ms for each in good), sum(each.isl_ms for each in good)
    verdict = "PASS" if ours <= TOTAL_TIME_BAR * isls else "FAIL"
    ratios = [each.our_ms / each.isl_ms for each in good]
    largest = f"largest {max(ratios):.1f} ({good[ratios.index(max(ratios))].name})"
    lines = [
        f"{len(good)} of {len(results)} inputs: {ours:.0f} ms, isl {isls:.0f} ms",
        f"{verdict}  total time: {ours / isls:.2f} times isl's (bar {TOTAL_TIME_BAR:g})",
        f"ratios: median {statistics.median(ratios):.2f}, {largest}",
    ]
    failed = [each for each in results if each.ours is None and each.problem != NO_ISL_SCHEDULE]
    lines.append(f"{'FAIL' if failed else 'PASS'}  inputs that only isl schedules: {len(failed)}")
    lines += [f"  {each.name}: {each.problem}" for each in failed]
    worse = [each for each in good if each.worse()]
    lines.append(f"{len(worse)} inputs with a statement that is worse off than in isl's schedule:")
    lines += [f"  {each.name}: {'; '.join(each.worse())}" for each in worse]
    return lines


# --- a large region -------------------------------------------------------------------------------


def lattice_boltzmann() -> None:
    """A solver with 19 distributions and dozens of statements (PPCG §7.4, Example 25)."""
    started = time.process_time()
    found = dependences(read_c(lbm(D3Q19))[0])
    analysed = time.process_time()
    our_schedule(found)
    spent = time.process_time() - analysed
    verdict = "PASS" if spent < LARGE_REGION_BAR else "FAIL"
    print(f"\nlattice Boltzmann, 19 distributions, {len(found.scop.statements)} statements")
    print(f"reading and dependences: {analysed - started:.1f} s")
    print(f"{verdict}  schedule: {spent:.1f} s (bar {LARGE_REGION_BAR:g} s)")


# --- growth ---------------------------------------------------------------------------------------


def growth_curve(title: str, texts: Sequence[str], repeat: int) -> None:
    """Time by the number of statements, and how it grows between the second and the last."""
    print(f"\n{title}\n{'statements':>10}{'ours ms':>10}{'each ms':>9}{'isl ms':>10}{'ratio':>7}")
    times: list[tuple[float, float]] = []
    for length, text in zip(LENGTHS, texts, strict=True):
        given = Input(title, lambda text=text: dependences(read_c(text)[0]))
        ours = best(our_schedule, given, repeat)
        isls = best(isl_schedule, Input(title, _asked(given)), repeat)
        times.append((ours, isls))
        print(
            f"{length:>10}{ours:>10.1f}{ours / length:>9.2f}{isls:>10.1f}{ours / isls:>7.2f}",
            flush=True,
        )
    steps = math.log(LENGTHS[-1] / LENGTHS[1])
    mine, theirs = (math.log(times[-1][at] / times[1][at]) / steps for at in (0, 1))
    verdict = "PASS" if mine < EXPONENT_BAR else "FAIL"
    print(
        f"{verdict}  exponent from {LENGTHS[1]} to {LENGTHS[-1]} statements: {mine:.2f}"
        f" (bar {EXPONENT_BAR:g}), isl {theirs:.2f}"
    )


def main() -> None:
    """Print the tables, or the first of them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3, help="runs of each; the best counts")
    parser.add_argument("--only", default="", metavar="NAME", help="inputs with this in their name")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--no-growth", action="store_true", help="leave out the large regions")
    arguments = parser.parse_args()
    chosen = [given for given in all_inputs() if arguments.only in given.name]
    if not chosen:
        sys.exit(f"no input is called {arguments.only}")
    if arguments.json:
        results = [measure(given, arguments.repeat) for given in chosen]
        print(json.dumps([asdict(each) for each in results], indent=1))
        return
    heads = "".join(f"{each:>12}" for each in ("coincident", "depth", "coefficient", "distance"))
    print(f"{'input (ours/isl)':<42}{'our ms':>9}{'isl ms':>9}{'ratio':>7}{heads}")
    results = []
    for given in chosen:
        results.append(measure(given, arguments.repeat))
        print(row(results[-1]), flush=True)
    print(*summary(results), sep="\n")
    if not arguments.no_growth:
        lattice_boltzmann()
        apart = [chain_of_stencils(length, length + 1) for length in LENGTHS]
        growth_curve("a chain of stencils, each into an array of its own", apart, arguments.repeat)
        between = [chain_of_stencils(length, 2) for length in LENGTHS]
        growth_curve("a chain of stencils to and fro between two arrays", between, arguments.repeat)


if __name__ == "__main__":
    main()
