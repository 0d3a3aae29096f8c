"""Random regions without end: ``PYTHONPATH=. python tests/interleaving/fuzz.py --count 1000``.

Each one's interleavings are those that the oracle finds legal, or it is printed.  The exit status
is 1 if there are any such.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from tests.interleaving.judged import wrong_about


def main() -> int:
    """Run the campaign and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many regions")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="where to start")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args()
    started = time.monotonic()
    seeds = range(options.seed, options.seed + options.count)
    failed = 0
    print(f"{options.count} random regions, seed {options.seed}, {options.jobs} processes")
    with ProcessPoolExecutor(options.jobs) as pool:
        for done, wrong in enumerate(pool.map(wrong_about, seeds, chunksize=5), 1):
            if wrong is not None:
                failed += 1
                print(f"\n{wrong}")
            if done % 50 == 0:
                print(f"{done}: {failed} failed", flush=True)
    print(f"{options.count} regions in {time.monotonic() - started:.0f} s, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
