"""Broken C without end: ``PYTHONPATH=. python tests/broken/fuzz.py --count 5000``.

The special cases and, for the rest of the count, mutations of the repository's programs and odd
random ones.  ``--specials`` adds every odd snippet in every position.  Failing programs are saved;
the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from pathlib import Path
from random import Random

from tests.broken.cases import Case
from tests.broken.enormous import large_cases
from tests.broken.judge import Failure, Judge, saved
from tests.broken.mutations import broken_case
from tests.broken.specials import small_cases, snippet_cases

BATCH = 25
EVERY_REAL = 50
"""One program in so many goes through the real command, which starts from cold."""


def _failures(batch: list[tuple[int, Case]]) -> tuple[int, list[Failure]]:
    """How many programs were read, and which of them wrongly."""
    found: list[Failure] = []
    with Judge() as judge:
        for number, case in batch:
            is_real = number % EVERY_REAL == 0
            failure = judge.failure_in_process(case) if is_real else judge.failure(case)
            if failure is not None:
                found.append(failure)
    return len(batch), found


def _programs(options: argparse.Namespace) -> Iterable[tuple[int, Case]]:
    if options.only is not None:
        return [(1, broken_case(options.seed, options.only))]
    specials = [] if options.no_specials else [*small_cases(), *large_cases()]
    if options.specials:
        return enumerate([*specials, *snippet_cases()], 1)
    # The slow ones are spread out, so that no process gets all of them.
    left = options.count - len(specials)
    cases = [*specials, *(broken_case(options.seed, k) for k in range(left))][: options.count]
    Random(options.seed).shuffle(cases)
    return enumerate(cases, 1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5000, help="how many programs")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="where to start")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--only", type=int, help="only the program of this number")
    parser.add_argument("--specials", action="store_true", help="only the special cases, all")
    parser.add_argument("--no-specials", action="store_true", help="only mutations")
    parser.add_argument(
        "--folder", type=Path, default=Path("build/broken-failures"), help="for failures"
    )
    return parser.parse_args()


def main() -> int:
    """Run the campaign and say how it went."""
    options = _arguments()
    print(f"{options.count} broken programs, seed {options.seed}, {options.jobs} processes")
    programs = iter(_programs(options))
    began = time.monotonic()
    done, failures = 0, list[Failure]()
    with ProcessPoolExecutor(options.jobs) as pool:
        pending: set[Future[tuple[int, list[Failure]]]] = set()
        while True:
            while len(pending) < 2 * options.jobs and (batch := list(islice(programs, BATCH))):
                pending.add(pool.submit(_failures, batch))
            if not pending:
                break
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            for number, found in (each.result() for each in finished):
                done += number
                failures += found
                for failure in found:
                    print(f"seed {options.seed}, {failure} -> {saved(failure, options.folder)}")
                print(f"{done} read, {len(failures)} failed", file=sys.stderr, end="\r", flush=True)
    _summarise(failures, time.monotonic() - began)
    print(f"{done - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


def _summarise(failures: list[Failure], seconds: float) -> None:
    for reason, count in Counter(each.reason for each in failures).most_common():
        print(f"{count:5} times: {reason}")
    print(f"{seconds:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
