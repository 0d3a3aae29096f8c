"""Random schedules without end: ``PYTHONPATH=. python tests/dependence/legality_fuzz.py``.

Every schedule is judged, the judgement is checked by the laws, and a part of them really runs.
What breaks a law is saved; the exit status is 1 if anything does.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from tests.dependence.legality_laws import (
    Judgement,
    Tally,
    check_runs,
    judgement_of,
    studies,
)

BATCH = 100
RANDOM_PROGRAMS = 30
RUN = 12
"""So many schedules of a batch are compiled and run."""


def _checked(job: tuple[int, int]) -> tuple[Counter[str], list[str]]:
    """How one batch went, and what is wrong in it."""
    seed, number = job
    counts: Counter[str] = Counter()
    failures: list[str] = []
    chosen = studies(seed, RANDOM_PROGRAMS)
    good: list[Judgement] = []
    for position in range(number):
        try:
            judgement = judgement_of(chosen, seed, position)
        except Exception:  # a broken law, or anything that should not happen
            failures.append(f"seed {seed}, schedule {position}\n{traceback.format_exc()}")
            continue
        if judgement is None:
            counts["too complex"] += 1
            continue
        counts["legal" if judgement.is_legal else "illegal"] += 1
        counts["legal by reordering"] += judgement.is_legal and not judgement.is_legal_in_order
        good.append(judgement)
    try:
        counts += _run(good)
    except Exception:
        failures.append(f"seed {seed}, running\n{traceback.format_exc()}")
    return counts, failures


def _run(judgements: list[Judgement]) -> Counter[str]:
    """Illegal orders may compute a subscript from anything: only written programs are safe."""
    safe = [each for each in judgements if each.is_legal or each.study.subject.arrays]
    with tempfile.TemporaryDirectory() as folder:
        tally: Tally = check_runs(safe[:: max(1, len(safe) // RUN)], Path(folder))
    return Counter({"run: same": tally.same, "run: other": tally.other, "run: lucky": tally.lucky})


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many schedules")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="where to start")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument(
        "--folder", type=Path, default=Path("build/legality-failures"), help="for failures"
    )
    return parser.parse_args()


def main() -> int:
    """Run the campaign and say how it went."""
    options = _arguments()
    print(f"{options.count} random schedules, seed {options.seed}, {options.jobs} processes")
    starts = range(0, options.count, BATCH)
    jobs = [(options.seed + k // BATCH, min(BATCH, options.count - k)) for k in starts]
    started = time.monotonic()
    total: Counter[str] = Counter()
    failed = done = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(_checked, job): job for job in jobs}
        for future in as_completed(futures):
            counts, failures = future.result()
            total += counts
            done += futures[future][1]
            for text in failures:
                failed += 1
                options.folder.mkdir(parents=True, exist_ok=True)
                (options.folder / f"{futures[future][0]}-{failed}.txt").write_text(text)
            print(f"\r{done}/{options.count}: {failed} failed, {dict(total)}", end="", flush=True)
    print(f"\n{done} schedules in {time.monotonic() - started:.0f} s, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
