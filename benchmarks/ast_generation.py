"""AST generation beside isl's own generator: how long it takes, and how good the loops are.

Both generators get the same schedules, contexts and options, freshly read for each run because isl
caches hulls in its objects.  Times are the best of several runs, in milliseconds; a ratio is ours
over isl's.  Loops are judged by their text and by what they execute for given sizes.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import TypeVar

import islpy as isl

from benchmarks.ast_inputs import AstInput, all_inputs
from loopwright.codegen.generation import generate
from loopwright.codegen.interpretation import ExecutedQuality, executed_quality
from loopwright.codegen.quality import StaticQuality, static_quality
from loopwright.isl_engine import SWITCHES, tree_with_isolation, typed_map
from loopwright.model.loop_ast import LoopAst
from tests.codegen.conversion import loop_ast_from_isl

Value = TypeVar("Value")

TOTAL_TIME_BAR = 3.0
SINGLE_TIME_BAR = 10.0
ENOUGH_SECONDS = 0.4
"""An input that has taken so long is not run again, once both generators had two runs."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What is counted about loops, in their text and when they run."""

    copies: int = 0
    loops: int = 0
    inner_ifs: int = 0
    size: int = 0
    branches: int = 0
    comparisons: int = 0
    extrema: int = 0
    divisions: int = 0
    iterations: int = 0

    @property
    def control(self) -> int:
        """Executed control operations: whatever is there only to decide what runs."""
        return self.branches + self.comparisons + self.extrema + self.divisions

    def __add__(self, other: Quality) -> Quality:
        return Quality(
            *(getattr(self, each.name) + getattr(other, each.name) for each in fields(Quality))
        )


@dataclass(frozen=True, slots=True)
class Result:
    """One input, ours and isl's."""

    name: str
    our_ms: float
    isl_ms: float
    ours: Quality
    isls: Quality
    problem: str = ""

    @property
    def ratio(self) -> float:
        """How many times as long as isl we take."""
        return self.our_ms / self.isl_ms


# --- the two generators -------------------------------------------------------------------------


def our_run(given: AstInput) -> Callable[[], LoopAst]:
    """Our generator on a freshly read input, ready to go."""
    schedule, context, options = given.schedule(), given.context_set(), given.fresh_options()
    return lambda: generate(schedule, context=context, options=options)


def isl_run(given: AstInput) -> Callable[[], isl.AstNode]:
    """The generator of isl on a freshly read input, with the options that mean the same."""
    schedule, context, options = given.schedule(), given.context_set(), given.fresh_options()
    for ours, theirs in SWITCHES.items():
        getattr(isl.DEFAULT_CONTEXT, f"set_{theirs}")(int(getattr(options, ours)))
    if isinstance(schedule, isl.UnionMap) and options.isolate is not None:
        schedule = tree_with_isolation(schedule, options)
    if isinstance(schedule, isl.Schedule):
        tree = schedule
        return lambda: isl.AstBuild.from_context(context).node_from_schedule(tree)
    times = schedule
    loop_types = typed_map(times, options)
    return lambda: (
        isl.AstBuild.from_context(context).set_options(loop_types).node_from_schedule_map(times)
    )


# --- measuring ----------------------------------------------------------------------------------


def measure(given: AstInput, repeat: int) -> Result:
    """Time both generators, in turns, and look at their loops."""
    ours: list[float] = []
    isls: list[float] = []
    problem = ""
    our_ast = LoopAst(loop_ast_from_isl(isl_run(given)()).root)
    isl_ast = our_ast
    started = time.perf_counter()
    for done in range(repeat):
        if done >= 2 and time.perf_counter() - started > ENOUGH_SECONDS:
            break
        milliseconds, node = _timed(isl_run(given))
        isls.append(milliseconds)
        isl_ast = loop_ast_from_isl(node)
        try:
            milliseconds, our_ast = _timed(our_run(given))
            ours.append(milliseconds)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}".splitlines()[0]
            return Result(given.name, min(isls), min(isls), Quality(), Quality(), problem)
    our_quality, isl_quality = _quality(our_ast, given), _quality(isl_ast, given)
    if isinstance(our_quality, str):
        return Result(given.name, min(ours), min(isls), Quality(), Quality(), our_quality)
    assert isinstance(isl_quality, Quality), isl_quality
    return Result(given.name, min(ours), min(isls), our_quality, isl_quality)


def _timed(action: Callable[[], Value]) -> tuple[float, Value]:
    """Milliseconds of the processor, which a busy machine changes less than those of the clock."""
    started = time.process_time()
    value = action()
    return 1000 * (time.process_time() - started), value


def _quality(ast: LoopAst, given: AstInput) -> Quality | str:
    """The counts, or why the loops cannot be run."""
    text: StaticQuality = static_quality(ast)
    try:
        run: ExecutedQuality = executed_quality(ast, given.parameters)
    except AssertionError as error:
        return f"cannot be run: {error}".splitlines()[0]
    return Quality(
        copies=text.copies,
        loops=text.loops,
        inner_ifs=text.innermost_branches,
        size=text.size,
        branches=run.branches,
        comparisons=run.comparisons,
        extrema=run.extrema,
        divisions=run.divisions,
        iterations=run.iterations,
    )


# --- printing -----------------------------------------------------------------------------------

COLUMNS = ("copies", "loops", "inner_ifs", "branches", "comparisons", "extrema", "divisions")
WIDTH = 46


def row(result: Result) -> str:
    """A line of the table."""
    times = f"{result.our_ms:>9.2f}{result.isl_ms:>9.2f}{result.ratio:>7.2f}"
    if result.problem:
        return f"{result.name:<{WIDTH}}{times}  {result.problem}"
    return f"{result.name:<{WIDTH}}{times}" + _counts(result.ours, result.isls)


def _counts(ours: Quality, isls: Quality) -> str:
    pairs = [f"{getattr(ours, name)}/{getattr(isls, name)}" for name in COLUMNS]
    return "".join(f"{pair:>16}" for pair in [*pairs, f"{ours.size}/{isls.size}"])


def bars(results: list[Result]) -> list[tuple[str, bool]]:
    """What has to hold, and does it?"""
    whole = sum(each.our_ms for each in results) / sum(each.isl_ms for each in results)
    worst = max(results, key=lambda each: each.ratio)
    ours = sum((each.ours for each in results), Quality())
    isls = sum((each.isls for each in results), Quality())
    broken = [each.name for each in results if each.problem]
    return [
        (f"total time {whole:.2f}x isl (at most 3x)", whole <= TOTAL_TIME_BAR),
        (
            f"worst input {worst.ratio:.2f}x isl (at most 10x): {worst.name}",
            worst.ratio <= SINGLE_TIME_BAR,
        ),
        (f"statement copies {ours.copies}, isl {isls.copies}", ours.copies <= isls.copies),
        (
            f"executed control operations {ours.control}, isl {isls.control}",
            ours.control <= isls.control,
        ),
        (f"{len(results)} inputs, without loops: {', '.join(broken) or 'none'}", not broken),
    ]


def summary(results: list[Result]) -> list[str]:
    """Totals and medians."""
    ours = sum((each.ours for each in results), Quality())
    isls = sum((each.isls for each in results), Quality())
    our_total, isl_total = (
        sum(each.our_ms for each in results),
        sum(each.isl_ms for each in results),
    )
    times = f"{our_total:>9.1f}{isl_total:>9.1f}{our_total / isl_total:>7.2f}"
    median = statistics.median(each.ratio for each in results)
    return [
        f"{'total':<{WIDTH}}{times}" + _counts(ours, isls),
        f"median ratio {median:.2f}; iterations of loops {ours.iterations}, isl {isls.iterations}",
    ]


def main() -> None:
    """Print the table and the bars, or all as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each; the best counts")
    parser.add_argument("--only", default="", metavar="NAME", help="inputs with this in their name")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    chosen = [given for given in all_inputs() if arguments.only in given.name]
    if not chosen:
        sys.exit(f"no input is called {arguments.only}")
    results: list[Result] = []
    if not arguments.json:
        heads = "".join(f"{name:>16}" for name in (*COLUMNS, "bytes"))
        print(f"{'input (ours/isl)':<{WIDTH}}{'our ms':>9}{'isl ms':>9}{'ratio':>7}{heads}")
    for given in chosen:
        results.append(measure(given, arguments.repeat))
        if not arguments.json:
            print(row(results[-1]), flush=True)
    verdicts = bars(results)
    if arguments.json:
        document = {
            "inputs": [asdict(each) for each in results],
            "bars": [{"bar": bar, "holds": holds} for bar, holds in verdicts],
        }
        print(json.dumps(document, indent=1))
        return
    print(*summary(results), sep="\n")
    for bar, holds in verdicts:
        print(f"{'PASS' if holds else 'FAIL'}  {bar}")


if __name__ == "__main__":
    main()
