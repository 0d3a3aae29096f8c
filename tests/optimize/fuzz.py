"""Random programs, optimized: ``PYTHONPATH=. python tests/optimize/fuzz.py --count 3000``.

``--kind scripts`` transforms them by random scripts instead.
Each program has a process of its own, which ends when it takes too long; where it was then is part
of what is saved.  The exit status is 1 if something failed.  ``--seed S`` repeats a campaign.
"""

from __future__ import annotations

import argparse
import faulthandler
import itertools
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

from tests.execution.campaign import PER_SEED, drawn_programs
from tests.execution.programs import RandomProgram
from tests.optimize.checking import FAST, SANITIZED, SHAPES, Shape, Verdict, verdict
from tests.optimize.random_nests import numbered_nests
from tests.script.random_scripts import random_script
from tests.script.random_scripts import verdict as scripted_verdict

FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Case:
    """A program, for a machine, with flags for the compiler."""

    name: str
    program: RandomProgram
    shape: Shape
    flags: tuple[str, ...]
    is_scripted: bool = False

    def verdict(self, folder: Path) -> Verdict:
        """What becomes of it."""
        if self.is_scripted:
            return scripted_verdict(self.program, random_script(self.program, self.name), folder)
        return verdict(self.program, self.shape, self.flags, folder, prove=True)

    def __str__(self) -> str:
        """What to look at."""
        return f"// {self.name}: {self.shape}, {' '.join(self.flags)}\n{self.program.text(1)}"


def cases(seed: int, count: int, kind: str, most: int) -> Iterator[Case]:
    """As many cases, the same ones for the same seed; nests have up to so many statements."""
    source = _programs(seed) if kind == "programs" else _nests(seed, most)
    for number, (name, program) in enumerate(islice(source, count)):
        flags = FAST if number % 3 == 2 else SANITIZED
        shape = SHAPES[number % len(SHAPES)]
        yield Case(name, program, shape, tuple(flags), is_scripted=kind == "scripts")


def _nests(seed: int, most: int) -> Iterator[tuple[str, RandomProgram]]:
    for number, program in numbered_nests(seed, most):
        yield str(number), program


def _programs(seed: int) -> Iterator[tuple[str, RandomProgram]]:
    for number in itertools.count(seed):
        for at, program in enumerate(drawn_programs(PER_SEED, number)):
            yield f"{number}-{at}", program


def _judge(case: Case, seconds: int, connection: Connection, trace: str) -> None:
    """The process of one case."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with open(trace, "w") as file, tempfile.TemporaryDirectory() as folder:
        faulthandler.register(signal.SIGXCPU, file=file, all_threads=False, chain=True)
        connection.send(case.verdict(Path(folder)))


@dataclass(slots=True)
class Running:
    """A case and its process."""

    case: Case
    seconds: int
    folder: Path
    process: ForkProcess = field(init=False)
    connection: Any = field(init=False)

    def __post_init__(self) -> None:
        """Start it."""
        self.connection, other = FORK.Pipe(duplex=False)
        arguments = (self.case, self.seconds, other, str(self._trace))
        self.process = FORK.Process(target=_judge, args=arguments, daemon=True)
        self.process.start()
        other.close()

    @property
    def _trace(self) -> Path:
        return self.folder / f"{self.case.name}.trace"

    def answer(self) -> Verdict:
        """What came of it; to be asked when the connection is ready."""
        try:
            found: Verdict = self.connection.recv()
        except EOFError:
            self.process.join()
            trace = self._trace.read_text() if self._trace.exists() else ""
            if "broken_laws" in trace:
                return Verdict("same", "but to check the order takes too long")
            is_slow = self.process.exitcode in (-signal.SIGXCPU, -signal.SIGKILL)
            kind = "slow" if is_slow else f"ended by {self.process.exitcode}"
            found = Verdict(kind, "\n".join(trace.splitlines()[:25]))
        self.process.join()
        self._trace.unlink(missing_ok=True)
        return found


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="where to start")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--most", type=int, default=50, help="stop after so many failures")
    parser.add_argument(
        "--kind", choices=("nests", "programs", "scripts"), default="nests", help="of what"
    )
    parser.add_argument("--statements", type=int, default=100, help="of a program, at most")
    parser.add_argument("--seconds", type=int, default=20, help="for one program")
    parser.add_argument("--minutes", type=float, default=1e9, help="for all of them")
    parser.add_argument(
        "--folder", type=Path, default=Path("build/fuzz-optimize-failures"), help="for failures"
    )
    return parser.parse_args()


def main() -> int:
    """Run the campaign and say how it went."""
    options = _arguments()
    options.folder.mkdir(parents=True, exist_ok=True)
    print(f"{options.count} random programs from seed {options.seed}")
    started = time.monotonic()
    kinds: Counter[str] = Counter()
    waiting = cases(options.seed, options.count, options.kind, options.statements)
    running: list[Running] = []
    failed = 0
    while True:
        is_over = failed >= options.most or time.monotonic() > started + 60 * options.minutes
        while not is_over and len(running) < options.jobs and (case := next(waiting, None)):
            running.append(Running(case, options.seconds, options.folder))
        if not running:
            break
        ready = wait([each.connection for each in running], timeout=5)
        for each in [one for one in running if one.connection in ready]:
            found = each.answer()
            running.remove(each)
            kinds[found.kind] += 1
            failed += not found.is_fine
            _keep(options.folder, each.case, found)
    total, duration = kinds.total(), time.monotonic() - started
    print(f"\n{total} programs in {duration:.0f} s, {failed} failed")
    for kind, count in kinds.most_common():
        print(f"{count:8} {kind}")
    return 1 if failed else 0


def _keep(folder: Path, case: Case, found: Verdict) -> None:
    """Write a failure, and what is left alone, to a file; say so of a failure."""
    if found.kind == "same":
        return
    path = folder / f"{found.kind.replace(' ', '-')}-{case.name}.c"
    told = "\n".join(f"// {line}" for line in found.detail.splitlines())
    path.write_text(f"{case}\n{told}\n")
    if not found.is_fine:
        print(f"{path}: {found.detail[:300]}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
