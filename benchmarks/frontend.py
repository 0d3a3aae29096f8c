"""How long does it take to read C?  Every kernel in one process, and one file from a cold start.

The peer is the parser alone: libclang on the same file with the same options.  What is above 1.0
in the last column is our own work.  Times are the best of several runs, in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from loopwright import read_c
from loopwright.frontend.clang_library import ParsedFile, ReadOptions

KERNELS = Path(__file__).parent / "kernels"


def best(action: Callable[[], object], repeat: int) -> float:
    """The shortest of several runs, in milliseconds."""
    times: list[float] = []
    for _ in range(repeat):
        started = time.perf_counter()
        action()
        times.append(1000 * (time.perf_counter() - started))
    return min(times)


def parse(path: Path) -> None:
    """What the parser does without us."""
    ParsedFile(str(path), path.read_bytes(), ReadOptions(define=("MINI",)))


def cold_start(path: Path) -> None:
    """``loopwright model`` as a user runs it."""
    command = [str(Path(sys.executable).parent / "loopwright"), "model", "-DMINI", str(path)]
    subprocess.run(command, check=True, capture_output=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each; the best counts")
    repeat = parser.parse_args().repeat
    files = sorted(KERNELS.glob("*.c"))
    started = time.perf_counter()
    for path in files:
        read_c(path, define=["MINI"])
    once = time.perf_counter() - started
    print(f"{'kernel':<16}{'read ms':>10}{'parse ms':>10}{'ratio':>8}")
    reads: list[float] = []
    for path in files:
        read = best(lambda path=path: read_c(path, define=["MINI"]), repeat)
        alone = best(lambda path=path: parse(path), repeat)
        reads.append(read)
        print(f"{path.stem:<16}{read:>10.1f}{alone:>10.1f}{read / alone:>8.2f}")
    cold = best(lambda: cold_start(KERNELS / "gemm.c"), repeat)
    print(f"{len(files)} kernels in one process, first run: {once:.2f} s")
    print(f"median {statistics.median(reads):.1f} ms, worst {max(reads):.1f} ms")
    print(f"cold start of `loopwright model gemm.c`: {cold:.0f} ms")


if __name__ == "__main__":
    main()
