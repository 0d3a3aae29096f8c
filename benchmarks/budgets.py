"""Does code that is allowed to be larger run faster?  ``optimize`` with and without a code budget.

Each kernel is optimized as usual and with a budget that leaves all the room there is, so that
control overhead is lifted where that is expected to pay.  Kernels of which that changes nothing are
left out.
Both programs must compute the same bits at SMALL; then they take turns, with one thread, and of
several runs the best counts.  The ratio is the usual time over the other one.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.programs import (
    EXACT,
    GCC,
    KERNELS,
    OPENMP,
    SIZES,
    BrokenProgramError,
    Version,
    best_times,
    chosen_kernels,
    compiled,
    geometric_mean,
    option_parser,
    results,
)
from loopwright import optimize
from loopwright.tuning.code_size import object_bytes
from loopwright.tuning.machines import machine_of_system
from loopwright.tuning.toolchain import Toolchain

ROOM = 10**9
LIMIT = 600.0
COMPILER = " ".join((*GCC, *OPENMP))
TOOLCHAIN = Toolchain((GCC[0],), (*GCC[1:], *OPENMP), (f"-I{KERNELS}",))


@dataclass(frozen=True, slots=True)
class Gain:
    """A kernel without and with room for more code."""

    kernel: str
    what: str
    usual_bytes: int
    larger_bytes: int
    usual_seconds: float
    larger_seconds: float

    @property
    def ratio(self) -> float:
        """How many times as fast the larger program is."""
        return self.usual_seconds / self.larger_seconds


def gain(kernel: Path, size: str, repeat: int) -> Gain | None:
    """What a kernel gains from room; nothing if it has no use for it."""
    machine = machine_of_system()
    larger = optimize(kernel, machine=machine, code_budget=ROOM, compiler=COMPILER)
    usual_code = optimize(kernel, machine=machine).code
    if larger.code == usual_code or larger.fit is None:
        return None
    usual_bytes = object_bytes(usual_code.encode(), kernel.name, TOOLCHAIN)
    with tempfile.TemporaryDirectory(prefix="loopwright-") as folder:
        sources = {"usual": usual_code, "larger": larger.code}
        versions = [_version(name, text, Path(folder), size) for name, text in sources.items()]
        best = best_times(versions, repeat, LIMIT)
    fit = larger.fit
    times = best["usual"], best["larger"]
    return Gain(kernel.stem, fit.what, usual_bytes, fit.size, *times)


def _version(name: str, text: str, folder: Path, size: str) -> Version:
    source = folder / f"{name}.c"
    source.write_text(text)
    program = compiled([*GCC, *OPENMP, f"-D{size}"], source, folder / name)
    return Version(name, (str(program),))


def main() -> int:
    """Print the table, or JSON; the exit status is 1 if a program is wrong."""
    parser = option_parser(__doc__, repeat=5)
    parser.add_argument("--size", choices=SIZES, default="LARGE")
    options = parser.parse_args()
    found: list[Gain] = []
    for kernel in chosen_kernels(options.only):
        try:
            _check(kernel)
            each = gain(kernel, options.size, options.repeat)
        except BrokenProgramError as error:
            sys.exit(f"{kernel.stem}: {error}")
        if each is not None:
            found.append(each)
            if not options.json:
                sizes = f"{each.usual_bytes:>8,} {each.larger_bytes:>8,} bytes"
                times = f"{each.usual_seconds:9.4f} {each.larger_seconds:9.4f} s"
                print(
                    f"{each.kernel:16} {sizes} {times} {each.ratio:6.3f}  {each.what}", flush=True
                )
    if options.json:
        print(json.dumps([asdict(each) for each in found], indent=2))
    elif found:
        mean = geometric_mean({each.kernel: each.ratio for each in found})
        print(f"geometric mean of {len(found)} kernels {mean:.3f}")
    return 0


def _check(kernel: Path) -> None:
    """Does the larger program compute the same bits as the original?"""
    with tempfile.TemporaryDirectory(prefix="loopwright-") as folder:
        new = Path(folder) / "new.c"
        new.write_text(optimize(kernel, code_budget=ROOM, compiler=COMPILER).code)
        flags = [*GCC, *OPENMP, *EXACT, "-DSMALL"]
        before = compiled(flags, kernel, Path(folder) / "old")
        after = compiled(flags, new, Path(folder) / "new")
        if results(before, threads=1, limit=LIMIT) != results(after, threads=2, limit=LIMIT):
            raise BrokenProgramError("the larger program computes something else")


if __name__ == "__main__":
    sys.exit(main())
