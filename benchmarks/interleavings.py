"""How large are the spaces of interleavings, and how long does it take to list them?

First the kernels of Table 1 of Pouchet et al. 2011, written from their descriptions, beside the
figures that the paper prints; then the kernels of the other benchmarks.  O are all total preorders
of the statements, F those of them that some legal schedule has at the outermost level.  Dimensions
are the binary variables that the constraints do not decide, and constraints those that are left
then.  The time is that from the text of the program to the list of all points, or of the first
5000, the best of several runs; the paper's is that of a Xeon with 2.4 GHz.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import comb
from pathlib import Path

from loopwright import dependences, read_c
from loopwright.interleaving.fusibility import Fusibility
from loopwright.interleaving.programs import program_of
from loopwright.interleaving.pruning import pruned
from loopwright.interleaving.spaces import Space, interleavings

BENCHMARKS = Path(__file__).parent
INPUTS = BENCHMARKS / "interleaving_inputs"
KERNELS = BENCHMARKS / "kernels"
LISTED = 5000
"""So many points are listed at most."""
ENOUGH_SECONDS = 2.0
"""What has taken so long is not run again."""
BAR_SECONDS = 2.0
"""For ludcmp, which has most statements of Table 1."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The columns of Table 1."""

    statements: int
    dimensions: int
    constraints: int
    points: int
    legal_dimensions: int
    legal_constraints: int
    legal_points: int
    seconds: float

    def texts(self) -> list[str]:
        """As they are printed."""
        return [
            *map(str, (self.statements, self.dimensions, self.constraints)),
            short(self.points),
            *map(str, (self.legal_dimensions, self.legal_constraints)),
            short(self.legal_points),
            f"{self.seconds:.2f}",
        ]


PAPER = {
    "advect3d": Figures(4, 12, 58, 75, 9, 43, 26, 0.82),
    "atax": Figures(4, 12, 58, 75, 6, 25, 16, 0.06),
    "bicg": Figures(4, 12, 58, 75, 10, 52, 26, 0.05),
    "gemver": Figures(4, 12, 58, 75, 6, 28, 8, 0.06),
    "ludcmp": Figures(14, 182, 3003, 10**12, 40, 443, 8, 0.54),
    "doitgen": Figures(3, 6, 22, 13, 3, 10, 4, 0.08),
    "varcovar": Figures(7, 42, 350, 47293, 22, 193, 96, 0.09),
    "correl": Figures(6, 30, 215, 4683, 21, 162, 176, 0.09),
}

REASONS = """\
#cst         For each three statements the paper has seven constraints where six are enough.
#points      of O are 1.06e+13 for 14 statements; the paper says about 10^12.
ludcmp       y[0] = b[0] and x[n-1] = y[n-1] / A[n-1][n-1] have no loop, thus none to share: a
             function of no iterators is a constant, which Definition 7 excludes.  If loops over i
             made y[i] = b[i] and x[n-1-i] = y[n-1-i] / A[n-1-i][n-1-i] there, 8 points would be
             left as in the paper, and not 2; but of 11 loops, where the paper has 9, and with 18
             dimensions and 150 constraints against its 40 and 443: it is not its program either.
varcovar     96 points and 22 dimensions are those of seven statements of which two alone are not
             ordered.  In ours cov[i][j] = 0.0 may come before, in and after the loops that make the
             means.  If it had to come after those, there would be 96 points and 22 dimensions; but
             with 7 loops and 7 statements nothing asks for it, and we do not know what the paper's
             other ten references are.
correl       Programs with as many loops, statements and references as the paper's have from 20 to
             604 points, as far as we looked.  Ours was chosen because it has 176: that number
             proves nothing.
atax         Ours has the same points; two more variables differ between them.
"""


# --- one program ----------------------------------------------------------------------------------


def space_of(path: Path) -> Space:
    """The set F of a program's only region."""
    (scop,) = read_c(path)
    program = program_of(dependences(scop, live_range_reordering=False))
    return pruned(Fusibility(program), range(len(program.statements))).space


def seconds_to_points(path: Path, repeat: int) -> float:
    """From the text to the list of points, the best of several runs."""
    times: list[float] = []
    for _ in range(repeat):
        started = time.perf_counter()
        list(islice(space_of(path), LISTED))
        times.append(time.perf_counter() - started)
        if sum(times) > ENOUGH_SECONDS:
            break
    return min(times)


def measured(path: Path, repeat: int) -> Figures:
    """The columns for a program."""
    space = space_of(path)
    everything = interleavings(space.count)
    return Figures(
        space.count,
        everything.dimensions(),
        everything.remaining(),
        number_of_preorders(space.count),
        space.dimensions(),
        space.remaining(),
        space.size(),
        seconds_to_points(path, repeat),
    )


@cache
def number_of_preorders(count: int) -> int:
    """How many total preorders so many elements have: some are the first class, and the others.

    >>> [number_of_preorders(count) for count in range(6)]
    [1, 1, 3, 13, 75, 541]
    """
    first = range(1, count + 1)
    return sum(comb(count, k) * number_of_preorders(count - k) for k in first) if count else 1


def short(number: int) -> str:
    """A number in few digits.

    >>> short(47293), short(10641342970443)
    ('47293', '1.1e+13')
    """
    return str(number) if number < 10**9 else f"{number:.1e}"


# --- tables ---------------------------------------------------------------------------------------

COLUMNS = ("#stmts", "O #dim", "#cst", "#points", "F1 #dim", "#cst", "#points", "seconds")


def line(first: str, texts: list[str]) -> str:
    """A line of the table."""
    return f"{first:<17}" + "".join(f"{each:>10}" for each in texts)


def print_table_1(names: list[str], repeat: int) -> None:
    """Ours, and under it the paper's."""
    print(line("Table 1", list(COLUMNS)))
    for name in names:
        ours = measured(INPUTS / f"{name}.c", repeat)
        print(line(name, ours.texts()))
        print(line("  in the paper", PAPER[name].texts()), flush=True)
        if name == "ludcmp":
            verdict = "met" if ours.seconds < BAR_SECONDS else "not met"
            print(f"  in less than {BAR_SECONDS:.0f} s: {verdict}")
    print(f"\n{REASONS}")


def print_kernels(names: list[str], repeat: int) -> None:
    """The other kernels."""
    print(line("kernel", list(COLUMNS)))
    for name in names:
        print(line(name, measured(KERNELS / f"{name}.c", repeat).texts()), flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="at most so many runs of each")
    parser.add_argument("--only", default="", help="kernels with this in their name")
    options = parser.parse_args(arguments)
    chosen = [name for name in PAPER if options.only in name]
    if chosen:
        print_table_1(chosen, options.repeat)
    kernels = sorted(path.stem for path in KERNELS.glob("*.c"))
    print_kernels([name for name in kernels if options.only in name], options.repeat)


if __name__ == "__main__":
    main()
