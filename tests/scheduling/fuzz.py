"""Random constraints without end: ``PYTHONPATH=. python tests/scheduling/fuzz.py --count 10000``.

Each case is scheduled and judged by the laws in a process that is ended when it hangs.  Failing
cases are shrunk and saved; the exit status is 1 if there are any.  ``--seed S --count 1`` repeats
the case of seed S.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.codegen.fuzz import MEMORY, Campaign, Worker, few_of_each, keep
from tests.codegen.laws import Verdict
from tests.scheduling.random_constraints import Case, seeded_case
from tests.scheduling.verdicts import reduced, verdict


def _judge(connection: Connection) -> None:
    """The process: a case or its seed comes in, a verdict goes out."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # isl writes what it refuses to standard error as well.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    while (job := connection.recv()) is not None:
        connection.send((verdict(seeded_case(job) if isinstance(job, int) else job), None))


class ScheduleWorker(Worker):
    """A process that judges schedules."""

    def begin(self, job: Any) -> None:
        """Hand over a case, or the seed of one."""
        if self.process is None:
            context = multiprocessing.get_context("spawn")
            self.connection, other = context.Pipe()
            self.process = context.Process(target=_judge, args=(other,), daemon=True)
            self.process.start()
            other.close()
        self.job = job
        self.spent = self._processor_time()
        self.connection.send(job)


def _asked(worker: Worker, case: Any) -> Verdict:
    return worker.asked(case)[0]


def _smaller(worker: Worker, case: Case, kind: str) -> Case:
    def fails_alike(candidate: Case) -> bool:
        return _asked(worker, candidate).kind == kind

    return reduced(case, fails_alike, 15 if kind in ("hang", "slow") else 600)


def _report(options: argparse.Namespace, worker: Worker, seed: int, judged: Verdict) -> None:
    """Show a failure, and keep it in a file."""
    case = seeded_case(seed)
    if not options.no_shrink:
        case = _smaller(worker, case, judged.kind)
        judged = _asked(worker, case)
    keep(options, seed, case, judged)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many cases")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="where to start")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--most", type=int, default=20, help="stop after so many failures")
    parser.add_argument("--no-shrink", action="store_true", help="show failures as they are")
    parser.add_argument("--shown", type=int, default=3000, help="characters of each failure")
    parser.add_argument(
        "--folder", type=Path, default=Path("build/schedule-failures"), help="for failures"
    )
    return parser.parse_args()


def main() -> int:
    """Run the campaign and say how it went."""
    options = _arguments()
    print(f"{options.count} random constraints and programs from seed {options.seed}")
    started = time.monotonic()
    campaign = Campaign([ScheduleWorker("ours") for _ in range(options.jobs)], options.most)
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


if __name__ == "__main__":
    sys.exit(main())
