"""Are flat arrays as fast as ``A[n][n]``?

Three kernels are written in each style in which programs lay matrices out in one dimension:
``A[i * n + j]`` with counters of several types, through a macro, behind a struct, by pointers to
rows, and from the address of the first element.  ``optimize`` is given each of them, and its
program is proved, compared with the original at a small size, and timed in one thread.  "ratio" is
the time over that of the program with ``A[n][n]``; "gcc" is how many times as fast it is as the
same text by gcc alone.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.programs import (
    EXACT,
    GCC,
    OPENMP,
    BrokenProgramError,
    Version,
    best_times,
    compiled,
    option_parser,
    results,
)
from loopwright import InputError, NoProof, optimize
from loopwright.targets.machine import Machine
from loopwright.tuning.machines import machine_of_system

BAR = 1.05
LIMIT = 120.0
NATURAL = "A[n][n]"


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel with subscripts like ``A[i][j]``, and ``T`` for the type of its counters."""

    name: str
    arrays: tuple[str, ...]
    rank: int
    sizes: tuple[int, int]
    """A small one to compare, and a large one to time."""
    loops: str


KERNELS = (
    Kernel(
        "product",
        ("C", "A", "B"),
        2,
        (37, 1000),
        """\
  for (T i = 0; i < n; i++)
    for (T j = 0; j < n; j++)
      for (T k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
""",
    ),
    Kernel(
        "lu",
        ("A",),
        2,
        (41, 1000),
        """\
  for (T k = 0; k < n; k++) {
    for (T i = k + 1; i < n; i++)
      A[i][k] /= A[k][k];
    for (T i = k + 1; i < n; i++)
      for (T j = k + 1; j < n; j++)
        A[i][j] -= A[i][k] * A[k][j];
  }
""",
    ),
    Kernel(
        "heat",
        ("A", "B"),
        3,
        (13, 120),
        """\
  for (int t = 0; t < 20; t++) {
    for (T i = 1; i < n - 1; i++)
      for (T j = 1; j < n - 1; j++)
        for (T k = 1; k < n - 1; k++)
          B[i][j][k] = 0.1 * (A[i + 1][j][k] + A[i - 1][j][k] + A[i][j + 1][k] + A[i][j - 1][k]
                              + A[i][j][k + 1] + A[i][j][k - 1]) + 0.4 * A[i][j][k];
    for (T i = 1; i < n - 1; i++)
      for (T j = 1; j < n - 1; j++)
        for (T k = 1; k < n - 1; k++)
          A[i][j][k] = 0.1 * (B[i + 1][j][k] + B[i - 1][j][k] + B[i][j + 1][k] + B[i][j - 1][k]
                              + B[i][j][k + 1] + B[i][j][k - 1]) + 0.4 * B[i][j][k];
  }
""",
    ),
)

Subscripts = Sequence[str]


@dataclass(frozen=True, slots=True)
class Style:
    """How an element is written, of what type counters and sizes are, and what comes before."""

    name: str
    element: Callable[[str, Subscripts], str]
    type: str = "int"
    head: str = ""
    parameter: str = "double *restrict {name}"
    argument: str = "{name}"
    size: str = "n"
    keeps_size: bool = True
    """Is the size a parameter of the kernel?"""


def offset(subscripts: Subscripts, size: str = "n") -> str:
    """The place in one dimension.

    >>> offset(["i", "j + 1"]), offset(["i", "j", "k"])
    ('(i) * n + j + 1', '((i) * n + j) * n + k')
    """
    first, *others = subscripts
    text = f"({first})"
    for at, each in enumerate(others):
        text = f"({text})" if at else text
        text = f"{text} * {size} + {each}"
    return text


def _plain(array: str, subscripts: Subscripts) -> str:
    return f"{array}[{offset(subscripts)}]"


def _by_row(array: str, subscripts: Subscripts) -> str:
    *outer, last = subscripts
    return f"({array} + ({offset(outer)}) * n)[{last}]"


def _natural(array: str, subscripts: Subscripts) -> str:
    return array + "".join(f"[{each}]" for each in subscripts)


STRUCT = "typedef struct { int n; double *data; } grid;\n"
STYLES = (
    Style(NATURAL, _natural, parameter="double {name}[restrict n]{rows}"),
    Style("int", _plain),
    Style("long", _plain, "long"),
    Style("size_t", _plain, "size_t"),
    Style("unsigned", _plain, "unsigned"),
    Style(
        "macro",
        lambda array, subscripts: f"AT{len(subscripts)}({', '.join([array, *subscripts])})",
        head="#define AT2(m, i, j) m[(i) * n + (j)]\n"
        "#define AT3(m, i, j, k) m[((i) * n + (j)) * n + (k)]\n",
    ),
    Style(
        "struct",
        lambda array, subscripts: f"{array}->data[{offset(subscripts, f'{array}->n')}]",
        head=STRUCT,
        parameter="grid *{name}",
        argument="&(grid){{n, {name}}}",
        size="A->n",
        keeps_size=False,
    ),
    Style("row", _by_row),
    Style(
        "address",
        lambda array, subscripts: f"(&{array}{'[0]' * len(subscripts)})[{offset(subscripts)}]",
        parameter="double {name}[restrict n]{rows}",
    ),
)


def program_text(kernel: Kernel, style: Style) -> str:
    """A program with the kernel in a style; it prints times and results as the benchmarks do."""
    rows = "[n]" * (kernel.rank - 1)
    given = [style.parameter.format(name=each, rows=rows) for each in kernel.arrays]
    passed = [style.argument.format(name=each) for each in kernel.arrays]
    if style.keeps_size:
        given, passed = [f"{style.type} n", *given], ["n", *passed]
    if style.argument == "{name}":
        passed = [f"(void *){each}" if each != "n" else each for each in passed]
    loops = re.sub(r"\bT\b", style.type, kernel.loops)
    if not style.keeps_size:
        loops = re.sub(r"\bn\b", style.size, loops)
    names = "|".join(kernel.arrays)
    loops = re.sub(
        rf"\b({names})((?:\[[^\]]*\])+)",
        lambda found: style.element(found[1], found[2][1:-1].split("][")),
        loops,
    )
    return _PROGRAM.format(
        head=style.head,
        given=", ".join(given),
        loops=loops,
        declared=", ".join(f"*{each} = grid_of(count)" for each in kernel.arrays),
        filled=" ".join(f"fill({each}, count, n);" for each in kernel.arrays),
        passed=", ".join(passed),
        length=" * ".join("n" * kernel.rank),
        first=kernel.arrays[0],
        small=kernel.sizes[0],
        large=kernel.sizes[1],
    )


_PROGRAM = """\
#include "bench.h"
{head}
#define SIZE BENCH_SIZE({small}, {small}, {small}, {large})

__attribute__((noinline)) static void kernel({given})
{{
#pragma scop
{loops}#pragma endscop
}}

static double *grid_of(size_t count)
{{
  return aligned_alloc(64, (count * sizeof(double) + 63) / 64 * 64);
}}

static void fill(double *grid, size_t count, size_t n)
{{
  for (size_t k = 0; k < count; k++)
    grid[k] = 1.0 / (1.0 + k % 977) + (k % (n + 1) ? 0 : n);
}}

int main(int argc, char **argv)
{{
  const int n = SIZE;
  const size_t count = (size_t){length};
  double {declared};
  struct bench b = bench_begin(argc, argv);
  while (bench_again(&b)) {{
    {filled}
    bench_start(&b);
    kernel({passed});
    bench_stop(&b);
  }}
  if (b.dump)
    for (size_t k = 0; k < count; k++)
      printf("%.17g\\n", {first}[k]);
  return 0;
}}
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """The seconds of a kernel in a style: by gcc alone, and optimized; or what is wrong."""

    kernel: str
    style: str
    before: float = 0.0
    after: float = 0.0
    problem: str = ""


def measured(
    kernel: Kernel, styles: Sequence[Style], repeat: int, machine: Machine
) -> Iterator[Measured]:
    """All styles of a kernel, timed in turns."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        versions: list[Version] = []
        problems: dict[str, str] = {}
        for each in styles:
            try:
                versions += _versions(kernel, each, folder, machine)
            except (BrokenProgramError, NoProof, InputError) as error:
                problems[each.name] = str(error).strip().splitlines()[0]
        times = best_times(versions, repeat, LIMIT)
        for each in styles:
            if each.name in problems:
                yield Measured(kernel.name, each.name, problem=problems[each.name])
            else:
                before, after = (times[f"{each.name} {what}"] for what in ("before", "after"))
                yield Measured(kernel.name, each.name, before, after)


def _versions(kernel: Kernel, style: Style, folder: Path, machine: Machine) -> list[Version]:
    stem = re.sub(r"\W", "", style.name)
    old, new = folder / f"{stem}.c", folder / f"{stem}.new.c"
    old.write_text(program_text(kernel, style))
    found = optimize(old, define=["LARGE"], include=[str(_INCLUDE)], machine=machine)
    if any(each is None for each in found.proof):
        raise BrokenProgramError("left as it is")
    new.write_bytes(found.content)
    dumped = {
        results(
            compiled((*GCC, *OPENMP, *EXACT, "-DSMALL"), each, folder / "small"),
            threads=2,
            limit=LIMIT,
        )
        for each in (old, new)
    }
    if len(dumped) > 1:
        raise BrokenProgramError("other results")
    flags = (*GCC, *OPENMP, "-DLARGE")
    pairs = (("before", old), ("after", new))
    return [
        Version(f"{style.name} {what}", (str(compiled(flags, source, folder / f"{stem}.{what}")),))
        for what, source in pairs
    ]


_INCLUDE = Path(__file__).resolve().parent / "kernels"


def table(found: Sequence[Measured]) -> Iterator[str]:
    """A line for each style of each kernel, and whether the bar is met."""
    natural: Mapping[str, float] = {
        each.kernel: each.after for each in found if each.style == NATURAL
    }
    worst = 0.0
    yield f"{'kernel':<10}{'style':<10}{'gcc s':>10}{'s':>10}{'gcc':>8}{'ratio':>8}"
    for each in found:
        if each.problem:
            yield f"{each.kernel:<10}{each.style:<10}{each.problem}"
            continue
        ratio = each.after / natural[each.kernel] if natural.get(each.kernel) else 1.0
        worst = max(worst, ratio)
        cells = f"{each.before:>10.4f}{each.after:>10.4f}{each.before / each.after:>8.2f}"
        yield f"{each.kernel:<10}{each.style:<10}{cells}{ratio:>8.2f}"
    is_met = worst <= BAR and not any(each.problem for each in found)
    yield f"{'met' if is_met else 'not met'}: at most {BAR} times {NATURAL} (worst {worst:.2f})"


def main(given: Sequence[str] | None = None) -> int:
    """Measure the kernels in all styles and print a table."""
    parser = option_parser(__doc__, repeat=9)
    parser.add_argument("--style", default="", metavar="NAME[,...]", help="these styles only")
    arguments = parser.parse_args(given)
    kernels = [
        each for each in KERNELS if any(part in each.name for part in arguments.only.split(","))
    ]
    wanted = arguments.style.split(",")
    styles = [each for each in STYLES if each.name == NATURAL or wanted == [""]]
    styles += [each for each in STYLES if each.name in wanted and each not in styles]
    machine = machine_of_system()
    found = [one for each in kernels for one in measured(each, styles, arguments.repeat, machine)]
    text = json.dumps([asdict(each) for each in found], indent=2)
    print(text if arguments.json else "\n".join(table(found)))
    return 1 if any(each.problem for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
