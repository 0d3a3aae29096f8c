"""Random schedules without end: ``PYTHONPATH=. python tests/codegen/fuzz.py --count 20000``.

Each case runs in a process that is ended when it takes too long.  Failing cases are shrunk and
saved; the exit status is 1 if there are any.  ``--seed S --count 1`` repeats the case of seed S.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from loopwright.codegen.generation import generate
from loopwright.model.loop_ast import LoopAst
from tests.codegen.laws import Verdict, generated_by_isl, lifted, mapped, verdict
from tests.codegen.random_trees import Case, seeded_case
from tests.codegen.reductions import reduced

LONGEST = 60.0
"""Seconds of processor time for one case, enumeration and isl's generator included."""

MEMORY = 4 * 2**30
TICKS = os.sysconf("SC_CLK_TCK")

Job = Case | int
"""A case, or the seed of one."""


def _generated_by_us(case: Case) -> LoopAst:
    return generate(case.schedule(), context=case.context_set(), options=case.ast_options())


def _depth(case: Case) -> int:
    """Some depth for overhead, the same whenever the case comes up."""
    return len(case.text) % 4


ENGINES = {
    "ours": _generated_by_us,
    "isl": generated_by_isl,
    "mappings": lambda case: mapped(case, _depth(case)),
    "lifted": lambda case: lifted(case, _depth(case)),
}


def _judge(connection: Connection, engine: str) -> None:
    """The process: a job comes in, a verdict goes out."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # isl writes what it refuses to standard error as well.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    while (job := connection.recv()) is not None:
        try:
            case = seeded_case(job) if isinstance(job, int) else job
            found = verdict(case, ENGINES[engine])
            connection.send((found, case))
        except Exception as error:  # a reduction that makes no sense
            connection.send((Verdict("no case", f"{type(error).__name__}: {error}"), None))


@dataclass(slots=True)
class Worker:
    """A process that judges cases, replaced when it hangs or dies."""

    engine: str
    process: SpawnProcess | None = None
    connection: Any = None
    job: Job | None = None
    spent: float = 0.0

    def begin(self, job: Job) -> None:
        """Hand over a job."""
        if self.process is None:
            context = multiprocessing.get_context("spawn")
            self.connection, other = context.Pipe()
            self.process = context.Process(target=_judge, args=(other, self.engine), daemon=True)
            self.process.start()
            other.close()
        self.job = job
        self.spent = self._processor_time()
        self.connection.send(job)

    def answer(self) -> tuple[Verdict, Case | None] | None:
        """The verdict, if there is one by now."""
        assert self.connection is not None
        assert self.process is not None
        if self.connection.poll():
            try:
                return self.connection.recv()
            except EOFError:
                self.end()
                return Verdict("the process died"), None
        if self._processor_time() - self.spent > LONGEST:
            self.end()
            return Verdict("hang"), None
        return None

    def asked(self, job: Job) -> tuple[Verdict, Case | None]:
        """Hand over a job and wait."""
        self.begin(job)
        while (found := self.answer()) is None:
            assert self.connection is not None
            self.connection.poll(0.5)
        return found

    def end(self) -> None:
        """No more of this process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
        self.process = self.connection = None

    def _processor_time(self) -> float:
        assert self.process is not None
        try:
            text = Path(f"/proc/{self.process.pid}/stat").read_text()
        except OSError:
            return 0.0
        fields = text.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


def _smaller(worker: Worker, case: Case, kind: str) -> Case:
    """A smaller case that fails in the same way."""
    return reduced(
        case,
        lambda candidate: worker.asked(candidate)[0].kind == kind,
        10 if kind == "hang" else 600,
    )


def _report(options: argparse.Namespace, worker: Worker, seed: int, judged: Verdict) -> None:
    """Show a failure, and keep it in a file."""
    case = seeded_case(seed)
    if not options.no_shrink:
        case = _smaller(worker, case, judged.kind)
        judged, _ = worker.asked(case)
    keep(options, seed, case, judged)


def keep(options: argparse.Namespace, seed: int, case: object, judged: Verdict) -> None:
    """Write a failure to a file, and show the beginning of it."""
    text = f"seed {seed}: {judged.kind}\n\n{case}\n\n{judged.detail}\n"
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / f"{seed}.txt"
    path.write_text(text)
    print(f"\n{path}: {text[: options.shown]}\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many schedules")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="where to start")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--most", type=int, default=20, help="stop after so many failures")
    parser.add_argument("--engine", choices=list(ENGINES), default="ours", help="whose loops")
    parser.add_argument("--no-shrink", action="store_true", help="show failures as they are")
    parser.add_argument("--shown", type=int, default=3000, help="characters of each failure")
    parser.add_argument(
        "--folder", type=Path, default=Path("build/fuzz-ast-failures"), help="for failures"
    )
    return parser.parse_args()


@dataclass(slots=True)
class Campaign:
    """Many seeds, and what became of them."""

    workers: list[Worker]
    most: int
    kinds: Counter[str] = field(default_factory=Counter[str])
    failures: list[tuple[int, Verdict]] = field(default_factory=list[tuple[int, Verdict]])

    def run(self, seeds: Iterator[int]) -> None:
        """Judge all of them, or until there are too many failures."""
        idle, busy = list(self.workers), list[Worker]()
        while True:
            while (
                idle and len(self.failures) < self.most and (seed := next(seeds, None)) is not None
            ):
                idle[-1].begin(seed)
                busy.append(idle.pop())
            if not busy:
                return
            wait([worker.connection for worker in busy if worker.connection], timeout=1.0)
            for worker in list(busy):
                if (answer := worker.answer()) is not None:
                    self._note(worker.job, answer[0])
                    busy.remove(worker)
                    idle.append(worker)

    def _note(self, job: Job | None, judged: Verdict) -> None:
        self.kinds[judged.kind] += 1
        if not judged.is_fine and isinstance(job, int):
            self.failures.append((job, judged))
            print(f"\nseed {job}: {judged.kind}", flush=True)
        if self.kinds.total() % 100 == 0:
            print(f"\r{self.kinds.total()}: {len(self.failures)} failed", end="", flush=True)


def main() -> int:
    """Run the campaign and say how it went."""
    options = _arguments()
    print(f"{options.count} random schedules from seed {options.seed}, {options.engine}")
    started = time.monotonic()
    campaign = Campaign([Worker(options.engine) for _ in range(options.jobs)], options.most)
    campaign.run(iter(range(options.seed, options.seed + options.count)))
    duration = time.monotonic() - started
    for seed, judged in few_of_each(campaign.failures):
        _report(options, campaign.workers[0], seed, judged)
    for worker in campaign.workers:
        worker.end()
    total, failed = campaign.kinds.total(), len(campaign.failures)
    print(f"\n{total} schedules in {duration:.0f} s, {failed} failed")
    for kind, count in campaign.kinds.most_common():
        print(f"{count:8} {kind}")
    return 1 if failed else 0


def few_of_each(failures: Sequence[tuple[int, Verdict]]) -> list[tuple[int, Verdict]]:
    """At most three failures of a kind are worth shrinking."""
    seen: Counter[str] = Counter()
    kept: list[tuple[int, Verdict]] = []
    for seed, judged in failures:
        seen[judged.kind] += 1
        if seen[judged.kind] <= 3:
            kept.append((seed, judged))
    return kept


if __name__ == "__main__":
    sys.exit(main())
