"""How fast are the programs of the fourteen scripts (Loopy, figure 5)?

Each script of ``benchmarks/scripts`` transforms the kernel of its name; the result is proved, and
compared with the original bit for bit; then both run in one thread.  ``gcc`` and ``clang`` are the
original at -O3 over the transformed program by the same compiler, ``best`` is the best original
over the best transformed one, and ``optimize`` is what ``loopwright optimize`` gives in one thread.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.programs import (
    EXACT,
    GCC,
    KERNELS,
    OPENMP,
    ROOT,
    SIZES,
    BrokenProgramError,
    Version,
    best_times,
    clang,
    compiled,
    geometric_mean,
    option_parser,
    results,
)
from loopwright import IllegalScript, NoProof, optimize
from loopwright.choosing import Wanted
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.scripting import Script, script_source
from loopwright.tuning.machines import machine_of_system

SCRIPTS = ROOT / "benchmarks/scripts"
LIMIT = 600.0
SCRIPTED, OPTIMIZED = "script", "optimize"


@dataclass(frozen=True, slots=True)
class Result:
    """The best times of a kernel by compiler and version, and the steps of its script."""

    kernel: str
    steps: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    problem: str = ""

    def speedup(self, compiler: str) -> float | None:
        """How many times as fast the script makes it, by the same compiler."""
        times = self.seconds
        new = f"{compiler} {SCRIPTED}"
        return times[compiler] / times[new] if compiler in times and new in times else None

    @property
    def best(self) -> float:
        """The best of the originals over the best of the others."""
        new = [time for name, time in self.seconds.items() if name.endswith(SCRIPTED)]
        old = [time for name, time in self.seconds.items() if name in compilers()]
        return min(old) / min(new)

    @property
    def automatic(self) -> float:
        """How many times as fast ``optimize`` makes it."""
        return self.seconds["gcc"] / self.seconds[OPTIMIZED]


def compilers() -> dict[str, tuple[str, ...]]:
    """The compilers that there are, with their flags."""
    found: dict[str, tuple[str, ...]] = {"gcc": GCC}
    other = clang()
    if other is not None:
        found["clang"] = (other, *GCC[1:])
    return found


def transformed(path: Path, size: str) -> tuple[bytes, int]:
    """The new program that a script makes, proved, and how many steps it has."""
    kernel = kernel_of(path)
    options = ReadOptions(define=(size,))
    script = Script(path.name, path.read_text())
    found = script_source(str(kernel), kernel.read_bytes(), options, Question(), script, Wanted())
    (region,) = found.regions
    return found.content, len(region.told)


def kernel_of(script: Path) -> Path:
    """The kernel that a script is for."""
    return KERNELS / f"{script.stem}.c"


def measured(script: Path, repeat: int, size: str) -> Result:
    """Transform a kernel, compare the results, and time all versions."""
    kernel = kernel_of(script)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            content, steps = transformed(script, size)
            new = folder / kernel.name
            new.write_bytes(content)
            _require_same(kernel, new, folder)
            versions = list(_versions(kernel, new, folder, size))
            return Result(kernel.stem, steps, best_times(versions, repeat, LIMIT))
    except (BrokenProgramError, NoProof, IllegalScript) as error:
        return Result(kernel.stem, problem=str(error).strip())


def _require_same(old: Path, new: Path, folder: Path) -> None:
    flags = (*GCC, *EXACT, "-DSMALL")
    before = compiled(flags, old, folder / "small.old")
    after = compiled(flags, new, folder / "small.new")
    if results(before, threads=1, limit=LIMIT) != results(after, threads=1, limit=LIMIT):
        raise BrokenProgramError("other results at SMALL")


def _versions(old: Path, new: Path, folder: Path, size: str) -> Iterator[Version]:
    for name, command in compilers().items():
        for version, source in ((name, old), (f"{name} {SCRIPTED}", new)):
            program = folder / version.replace(" ", ".")
            yield Version(version, (str(compiled([*command, f"-D{size}"], source, program)),))
    best = folder / "optimized.c"
    result = optimize(old, define=[size], machine=machine_of_system())
    result.require_no_mistake()
    best.write_bytes(result.content)
    program = compiled([*GCC, *OPENMP, f"-D{size}"], best, folder / OPTIMIZED)
    yield Version(OPTIMIZED, (str(program),))


def row(result: Result) -> str:
    """A line of the table."""
    if result.problem:
        return f"{result.kernel:<16}{result.problem.splitlines()[0]}"
    cells = [result.speedup("gcc"), result.speedup("clang"), result.best, result.automatic]
    told = "".join(f"{'-' if each is None else f'{each:.2f}':>10}" for each in cells)
    return f"{result.kernel:<16}{result.steps:>6}{result.seconds['gcc']:>10.4f}{told}"


def summary(found: Sequence[Result]) -> str:
    """The means of those that could be measured."""
    good = [each for each in found if not each.problem]
    if not good:
        return "nothing was measured"
    best = geometric_mean({each.kernel: each.best for each in good})
    automatic = geometric_mean({each.kernel: each.automatic for each in good})
    return f"geometric means of {len(good)}: best {best:.2f}, optimize {automatic:.2f}"


def main(given: Sequence[str] | None = None) -> int:
    """Measure the scripts and print a table."""
    parser = option_parser(__doc__, repeat=5)
    parser.add_argument("--size", choices=SIZES, default="LARGE", help="of the kernels")
    arguments = parser.parse_args(given)
    parts = arguments.only.split(",")
    scripts = [
        each for each in sorted(SCRIPTS.glob("*.loopy")) if any(part in each.stem for part in parts)
    ]
    head = "".join(f"{name:>10}" for name in ("gcc s", "gcc", "clang", "best", "optimize"))
    if not arguments.json:
        print(f"{'kernel':<16}{'steps':>6}{head}")
    found: list[Result] = []
    for each in scripts:
        found.append(measured(each, arguments.repeat, arguments.size))
        if not arguments.json:
            print(row(found[-1]), flush=True)
    print(
        json.dumps([asdict(each) for each in found], indent=2) if arguments.json else summary(found)
    )
    return 1 if any(each.problem for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
