"""How long does ``loopwright optimize`` take, and in which stage?

"cold" is the whole command as a user runs it, in seconds; the stages are those of a run inside of
this process, where everything is loaded already, and "start" is what the command needs beyond
that: the interpreter, imports, and the report.  The peers compile the same file in the same run:
clang -O3 with Polly, which is a compiler of the same kind, and gcc -O3; the ratios are our cold
time over theirs.  Times are the best of several runs.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from benchmarks.programs import (
    GCC,
    POLLY,
    chosen_kernels,
    clang,
    compiled,
    is_usable,
    option_parser,
)
from loopwright import choosing, optimize, pipeline, proving
from loopwright.tuning.machines import machine_of_system

STAGES: Mapping[str, tuple[ModuleType, tuple[str, ...]]] = {
    "read": (pipeline, ("read_what_can_be",)),
    "depend": (pipeline, ("dependences",)),
    "schedule": (choosing, ("schedule",)),
    "map": (choosing, ("cost_as_written", "mapped", "expanded")),
    "generate": (pipeline, ("generate",)),
    "emit": (pipeline, ("region_names", "region_text", "replacement", "with_pragmas")),
    "prove": (proving, ("original_of", "both_programs", "read_back")),
}
"""The functions of each stage, and the module that calls them."""

OTHER = "other"
MEDIAN_BAR = 1.0
WORST_BAR = 5.0
SIZE = "LARGE"
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


@dataclass(frozen=True, slots=True)
class Result:
    """The times of a kernel, in seconds."""

    kernel: str
    cold: float
    stages: Mapping[str, float]
    peers: Mapping[str, float] = field(default_factory=dict)

    @property
    def start(self) -> float:
        """What the command needs beyond the stages."""
        return max(0.0, self.cold - sum(self.stages.values()))


def seconds(action: Callable[[], object]) -> float:
    """How long it takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


# --- inside of this process -----------------------------------------------------------------------


@contextmanager
def stages_timed() -> Iterator[dict[str, float]]:
    """Inside, the time in each stage of the pipeline is added up."""
    spent: dict[str, float] = defaultdict(float)

    def timed(stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                spent[stage] += time.perf_counter() - started

        return call

    with ExitStack() as replaced:
        for stage, (caller, names) in STAGES.items():
            for name in names:
                function = timed(stage, getattr(caller, name))
                replaced.enter_context(patch.object(caller, name, function))
        yield spent


def stages_of(kernel: Path) -> dict[str, float]:
    """The time of each stage, and of what is in none of them."""
    with stages_timed() as spent:
        machine = machine_of_system()
        whole = seconds(lambda: optimize(kernel, define=[SIZE], machine=machine))
    found = {stage: spent.get(stage, 0.0) for stage in STAGES}
    return {**found, OTHER: max(0.0, whole - sum(found.values()))}


# --- as processes ---------------------------------------------------------------------------------


def environment(folder: Path) -> dict[str, str]:
    """An environment in which modules are compiled once, into a folder, as for any user."""
    inherited = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
    return {**inherited, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


def run(command: Sequence[str], folder: Path) -> float:
    """The seconds of a process that must succeed."""
    given = environment(folder)
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=given)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr[-2000:]}")
    return time.perf_counter() - started


def command_of(*arguments: str) -> list[str]:
    """The ``loopwright`` command with these arguments."""
    return [str(Path(sys.executable).parent / "loopwright"), *arguments]


def cold(kernel: Path, folder: Path) -> float:
    """The seconds of ``loopwright optimize`` as a user runs it."""
    output = str(folder / kernel.name)
    command = command_of("optimize", f"-D{SIZE}", str(kernel), "-o", output)
    return run(command, folder)


def peers(kernel: Path, folder: Path) -> dict[str, Callable[[], object]]:
    """Other compilers on the same file."""

    def compile_by(*command: str) -> Callable[[], object]:
        flags = [*command, f"-D{SIZE}", "-c"]
        return lambda: compiled(flags, kernel, folder / "peer.o")

    found = {"gcc": compile_by(*GCC)}
    compiler = clang()
    if compiler is not None and is_usable(compiler, *GCC[1:], *POLLY):
        found["polly"] = compile_by(compiler, *GCC[1:], *POLLY)
    return found


def measured(kernel: Path, repeat: int, folder: Path) -> Result:
    """The best of several runs of everything, in turns."""
    colds: list[float] = []
    splits: list[dict[str, float]] = []
    others: dict[str, list[float]] = defaultdict(list)
    for _ in range(repeat):
        colds.append(cold(kernel, folder))
        splits.append(stages_of(kernel))
        for peer, action in peers(kernel, folder).items():
            others[peer].append(seconds(action))
    split = min(splits, key=lambda each: sum(each.values()))
    return Result(
        kernel.stem, min(colds), split, {name: min(each) for name, each in others.items()}
    )


# --- tables ---------------------------------------------------------------------------------------

COLUMNS = ("start", *STAGES, OTHER)
PEERS = ("polly", "gcc")


def head() -> str:
    """The first line of the table."""
    names = "".join(f"{name:>9}" for name in (*COLUMNS, *(f"/{peer}" for peer in PEERS)))
    return f"{'kernel':<16}{'cold':>9}{names}"


def row(result: Result) -> str:
    """A line of the table."""
    cells = [result.start, *(result.stages[name] for name in COLUMNS[1:])]
    text = "".join(f"{each:>9.2f}" for each in (result.cold, *cells))
    for peer in PEERS:
        theirs = result.peers.get(peer)
        text += f"{'-' if theirs is None else f'{result.cold / theirs:.1f}':>9}"
    return f"{result.kernel:<16}{text}"


def summary(results: Sequence[Result]) -> list[str]:
    """The bars, and where the time goes."""
    median = statistics.median(each.cold for each in results)
    worst = max(results, key=lambda each: each.cold)
    whole = sum(each.cold for each in results)
    shares = {name: sum(each.stages[name] for each in results) for name in (*STAGES, OTHER)}
    shares["start"] = sum(each.start for each in results)
    told = ", ".join(f"{name} {spent / whole:.0%}" for name, spent in shares.items())
    over = [f"{each.kernel} {each.cold:.1f}" for each in results if each.cold > WORST_BAR]
    return [
        f"{len(results)} kernels, {whole:.1f} s: {told}",
        f"{_verdict(median < MEDIAN_BAR)}median under {MEDIAN_BAR:g} s: {median:.2f} s",
        f"{_verdict(not over)}none over {WORST_BAR:g} s: worst {worst.kernel} {worst.cold:.2f} s"
        + (f"; over: {', '.join(over)}" if over else ""),
    ]


def _verdict(is_met: bool) -> str:
    return f"{'met' if is_met else 'not met':<9}"


def start_up(repeat: int, folder: Path) -> str:
    """The command when it does nothing, and the imports of the pipeline alone."""
    nothing = command_of("--version")
    imports = [sys.executable, "-c", "import loopwright.pipeline"]
    first, second = (min(run(each, folder) for _ in range(repeat)) for each in (nothing, imports))
    return f"start-up: `loopwright --version` {first:.2f} s, imports of the pipeline {second:.2f} s"


def main(given: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = option_parser(__doc__, repeat=3)
    arguments = parser.parse_args(given)
    chosen, repeat = chosen_kernels(arguments.only), arguments.repeat
    found: list[Result] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cold(chosen[0], folder)  # compiles the modules
        if not arguments.json:
            print(head(), flush=True)
        for kernel in chosen:
            found.append(measured(kernel, repeat, folder))
            if not arguments.json:
                print(row(found[-1]), flush=True)
        if arguments.json:
            print(json.dumps([asdict(each) for each in found], indent=1))
        else:
            print(*summary(found), start_up(repeat, folder), sep="\n")


if __name__ == "__main__":
    main()
