"""Random programs without end: ``PYTHONPATH=. python tests/execution/fuzz.py --count 10000``.

Failing programs are shrunk and saved; the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from loopwright import read_c
from tests.execution.campaign import Failure, drawn_programs, failures_among, shrunk

BATCH = 25

Job: TypeAlias = tuple[int, int, bool]
"""The seed of a batch, how many programs it has, and whether failures are to be shrunk."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The failures of one batch, each with its smaller relative, and what else was counted."""

    failures: list[tuple[Failure, Failure]]
    counts: Counter[str] = field(default_factory=Counter)


def checked(job: Job) -> Checked:
    """Draw a batch and check it."""
    seed, number, is_shrinking = job
    found = list(failures_among(drawn_programs(number, seed), read_c))
    return Checked([(each, shrunk(each, read_c) if is_shrinking else each) for each in found])


def _arguments(folder: Path) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Random programs without end.")
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="where to start")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--most", type=int, default=20, help="stop after so many failures")
    parser.add_argument(
        "--no-shrink", action="store_true", help="save failing programs as they are"
    )
    parser.add_argument("--folder", type=Path, default=folder, help="for failures")
    return parser.parse_args()


def main(
    check: Callable[[Job], Checked] = checked,
    folder: Path = Path("build/fuzz-failures"),
) -> int:
    """Run the campaign and say how it went."""
    options = _arguments(folder)
    batches = -(-options.count // BATCH)
    print(f"{options.count} random programs, seed {options.seed}, {options.jobs} processes")
    jobs = [
        (options.seed + k, min(BATCH, options.count - k * BATCH), not options.no_shrink)
        for k in range(batches)
    ]
    started = time.monotonic()
    done = failed = 0
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(check, job): job for job in jobs}
        for future in as_completed(futures):
            done += futures[future][1]
            result = future.result()
            for number, pair in enumerate(result.failures, failed):
                _save(options.folder, futures[future][0], number, pair)
            failed += len(result.failures)
            counts += result.counts
            rate = (time.monotonic() - started) / done
            print(f"\r{done}/{options.count}: {failed} failed, {rate * 1000:.0f} ms each", end="")
            sys.stdout.flush()
            if failed >= options.most:
                pool.shutdown(cancel_futures=True)
                break
    print(f"\n{done} programs in {time.monotonic() - started:.0f} s, {failed} failed")
    if counts:
        print(", ".join(f"{number} {what}" for what, number in counts.most_common()))
    return 1 if failed else 0


def _save(folder: Path, seed: int, number: int, pair: tuple[Failure, Failure]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    original, smaller = pair
    stem = f"{smaller.mismatches[0].kind}-{seed}-{number}"
    (folder / f"{stem}.c").write_text(str(smaller))
    (folder / f"{stem}.original.c").write_text(str(original))
    print(f"\n{folder / stem}.c: {smaller.mismatches[0]}")


if __name__ == "__main__":
    sys.exit(main())
