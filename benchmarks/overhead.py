"""How much control do loops cost whose statements have mappings of their own?  Table 1 again.

The table of "Code Generation for Multiple Mappings" (Kelly, Pugh, Rosser 1995), for its own example
and for more kernels: the code of the paper's strategy, from what it begins with to what is left
when no overhead stands inside more than k loops, beside our other generator and the original loops.

- overhead: instructions of the kernel beyond those of the original, in percent of the original;
- control: the same of the loops alone.  Statements are empty there, so that nothing depends on how
  the compiler addresses arrays in each of the loops; the percents are still of the whole original;
- bytes: the object code of the kernel;
- copies: statements in the text; deepest: so many loops are around the deepest test, minimum or
  maximum, if there is any.

The original is no lower bound: where loops are fused there are fewer iterations than it has.

Instructions are counted by callgrind, so the figures do not vary from run to run; they know nothing
of caches, like those of the paper.  The compiler is gcc -O2 without what changes the count of the
work: vectors, calls of memset, alignment.  Its dominator pass is left out, too.  It replaces bounds
by the last values of iterators, at the price of a move in an innermost loop here and there, that of
an original as well; then rows differ by what is not in their loops.  ``--flags`` shows other ones.
Integers are as wide as addresses.  The paper does not say how large its matrix was: the smaller n,
the more of all work is control (``--size``).

Each program must compute the same bits as the original first, for many n.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import islpy as isl

from benchmarks.overhead_inputs import KERNELS, Kernel
from benchmarks.programs import BrokenProgramError
from loopwright.codegen.build import Build
from loopwright.codegen.conditions import condition
from loopwright.codegen.expressions import call
from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions, LoopType, Strategy
from loopwright.codegen.overhead import overhead_depth
from loopwright.codegen.quality import static_quality
from loopwright.model.expressions import Constant
from loopwright.model.loop_ast import Block, If, LoopAst, Node, User
from loopwright.polyhedra.unions import maps_of

FLAGS = " ".join(
    (
        "-O2 -fno-tree-vectorize -fno-tree-loop-distribute-patterns",
        "-fno-align-loops -fno-align-jumps -fno-align-labels",
        "-fno-tree-dominator-opts -fno-math-errno -ffp-contract=off",
    )
)
TOOLS = ("gcc", "nm", "valgrind")
ORIGINAL = "original"
NAIVE = "naive"
INITIAL = "initial"
PAPER: Mapping[str, tuple[int, int]] = {
    NAIVE: (31, 584),
    INITIAL: (13, 712),
    "k = 4": (13, 712),
    "k = 3": (5, 1576),
    "k = 2": (4, 5352),
    ORIGINAL: (0, 392),
}
"""Table 1, for blocked LU decomposition: percents of overhead, and bytes of object code."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What one version of a kernel costs."""

    instructions: int
    control: int
    """Instructions, if the statements do nothing."""

    size: int
    """Bytes of object code."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    name: str
    measure: Measure
    overhead: float
    """In percent of the original, as is the next."""

    control: float
    copies: int
    deepest: int | None


@dataclass(frozen=True, slots=True)
class Table:
    """All versions of a kernel; the original is the last."""

    kernel: str
    about: str
    size: int
    rows: tuple[Row, ...]

    def row(self, name: str) -> Row:
        """The row of that name."""
        (found,) = (each for each in self.rows if each.name == name)
        return found


# --- the versions ---------------------------------------------------------------------------------


def versions(kernel: Kernel) -> Iterator[tuple[str, LoopAst]]:
    """The names of the rows and their loops, all but the original.

    Of the AST generator there are fewer: where a limit changes nothing, and of those loops that are
    separate already all limits but the first.
    """
    yield NAIVE, naive(kernel)
    mapped = partial(generate, kernel.times, context=kernel.context, strategy=Strategy.MAPPINGS)
    yield INITIAL, mapped()
    for depth in reversed(range(kernel.depth)):
        yield _limit(depth), mapped(overhead_depth=depth)
    for kind, most in (
        (LoopType.DEFAULT, kernel.depth),
        (LoopType.ATOMIC, 0),
        (LoopType.SEPARATE, 1),
    ):
        options = AstOptions(loop_type=kind)
        typed = partial(generate, kernel.times, context=kernel.context, options=options)
        plain = typed()
        yield f"AST {kind.value}", plain
        for depth in list(reversed(range(overhead_depth(plain) or 0)))[:most]:
            yield f"AST {kind.value}, {_limit(depth)}", typed(overhead_depth=depth)


def _limit(depth: int) -> str:
    return f"k = {depth}"


def naive(kernel: Kernel) -> LoopAst:
    """Loops over the convex hull of all times; each statement tests for itself whether it runs.

    The hull has the constraints of single statements that hold for all, steps among them (Figure 2
    of the paper).  A last dimension that only orders the statements is no loop.
    """
    runs = [each.reverse() for each in maps_of(kernel.times)]
    last = runs[0].dim(isl.dim_type.in_) - 1
    places = [each.domain().plain_get_val_if_fixed(isl.dim_type.set, last) for each in runs]
    if all(place.is_int() for place in places):
        order = sorted(range(len(runs)), key=lambda at: places[at].to_python())
        runs = [runs[at].project_out(isl.dim_type.in_, last, 1) for at in order]
    times = runs[0].domain()
    for relation in runs[1:]:
        times = times.union(relation.domain())
    hull = isl.Set.from_basic_set(times.unshifted_simple_hull())
    schedule = hull.identity().set_tuple_name(isl.dim_type.in_, "Anything")

    def at_each(_: User, build: Build) -> Node:
        return Block(tuple(_where_it_runs(relation, build) for relation in runs))

    options = AstOptions(at_each_statement=at_each)
    return generate(isl.UnionMap.from_map(schedule), context=kernel.context, options=options)


def _where_it_runs(relation: isl.Map, build: Build) -> Node:
    """A statement under its whole condition, as far as the loops do not imply it."""
    here = relation.preimage_domain_multi_aff(build.schedule)
    holds = here.domain()
    test = condition(holds, build)
    inside = replace(build, known=build.known.intersect(holds))
    statement = User(call(isl.PwMultiAff.from_map(here), inside))
    return statement if test == Constant(1) else If(test, statement)


# --- programs -------------------------------------------------------------------------------------


def kernel_text(kernel: Kernel, loops: str, *, is_empty: bool = False) -> str:
    """A function that runs the loops; ``is_empty`` if the statements shall do nothing."""
    macros = [
        f"#define {head} {_empty(head) if is_empty else f'({text})'}"
        for head, text in kernel.statements.items()
    ]
    return "\n".join(["#define integer long", *macros, _head(kernel), "{", f"{loops}}}", ""])


def _empty(head: str) -> str:
    """A statement without instructions that still wants to know its subscripts.

    >>> _empty("S2(i, j)")
    '__asm__ volatile ("" : : "g"(i), "g"(j))'
    """
    _, *names = re.findall(r"\w+", head)
    operands = ", ".join(f'"g"({name})' for name in names)
    return f'__asm__ volatile ("" : : {operands})'


def _head(kernel: Kernel) -> str:
    arrays = [
        f"double {name}[{rows}][{columns}]" for name, (rows, columns) in kernel.shapes.items()
    ]
    return f"void kernel(long n, {', '.join(arrays)})"


def main_text(kernel: Kernel) -> str:
    """A program that runs the kernel for each n that it is given, and writes all arrays.

    Diagonals are large, so that matrices can be decomposed.
    """
    declarations, fills, writes = list[str](), list[str](), list[str]()
    for name, (rows, columns) in kernel.shapes.items():
        declarations.append(f"static double {name}[{rows}][{columns}];")
        fills.append(
            f"    for (long i = 0; i < {rows}; i += 1) for (long j = 0; j < {columns}; j += 1)\n"
            f"      {name}[i][j] = ((i * 7919 + j * 104729) % 1009) / 1009.0 + (i == j) * 1000.0;"
        )
        writes.append(f"    fwrite({name}, sizeof {name}, 1, stdout);")
    return "\n".join(
        [
            "#include <stdio.h>",
            "#include <stdlib.h>",
            f"{_head(kernel)};",
            *declarations,
            "int main(int count, char **sizes) {",
            "  for (int at = 1; at < count; at += 1) {",
            *fills,
            f"    kernel(atol(sizes[at]), {', '.join(kernel.shapes)});",
            *writes,
            "  }",
            "}",
            "",
        ]
    )


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where the programs of a kernel are built and run."""

    kernel: Kernel
    folder: Path
    flags: tuple[str, ...]

    def built(self, loops: str, *, is_empty: bool = False) -> Path:
        """The program with these loops; its kernel is an object file of its own."""
        folder = self.folder
        (folder / "kernel.c").write_text(kernel_text(self.kernel, loops, is_empty=is_empty))
        (folder / "main.c").write_text(main_text(self.kernel))
        self._run("gcc", *self.flags, "-c", "kernel.c")
        self._run("gcc", "-O1", "main.c", "kernel.o", "-o", "program")
        return folder / "program"

    def results(self, program: Path) -> bytes:
        """All arrays, for all the sizes."""
        sizes = (self.kernel.size, *self.kernel.other_sizes)
        return self._run(str(program), *map(str, sizes))

    def instructions(self, program: Path) -> int:
        """Those that the kernel executes."""
        told = self.folder / "callgrind.out"
        options = ("--tool=callgrind", "--toggle-collect=kernel", f"--callgrind-out-file={told}")
        self._run("valgrind", *options, str(program), str(self.kernel.size))
        found = re.search(r"^totals: (\d+)$", told.read_text(), re.MULTILINE)
        if found is None or int(found[1]) == 0:
            raise BrokenProgramError("callgrind has counted nothing in the kernel")
        return int(found[1])

    def size(self) -> int:
        """The bytes of the kernel that was built last, with parts that the compiler split off."""
        lines = self._run("nm", "-S", "--defined-only", "kernel.o").decode().splitlines()
        return sum(int(line.split()[1], 16) for line in lines if " t " in line.lower())

    def _run(self, *command: str) -> bytes:
        done = subprocess.run(command, cwd=self.folder, capture_output=True)
        if done.returncode:
            message = done.stderr.decode().strip()
            raise BrokenProgramError(f"{command[0]} ends with {done.returncode}: {message}")
        return done.stdout


# --- measuring ------------------------------------------------------------------------------------


def measured(workshop: Workshop, loops: str, expected: bytes | None) -> tuple[Measure, bytes]:
    """What these loops cost, and what they compute; it is an error if that is not as expected."""
    program = workshop.built(loops)
    found = workshop.results(program)
    if expected is not None and found != expected:
        raise BrokenProgramError("other results than the original's")
    instructions, size = workshop.instructions(program), workshop.size()
    control = workshop.instructions(workshop.built(loops, is_empty=True))
    return Measure(instructions, control, size), found


def table(
    kernel: Kernel,
    flags: Sequence[str],
    of: Callable[[Kernel], Iterator[tuple[str, LoopAst]]] = versions,
) -> Table:
    """All rows of a kernel; the same text is measured once."""
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(kernel, Path(folder), tuple(flags))
        base, expected = measured(workshop, kernel.original, None)
        known: dict[str, Measure] = {}
        rows: list[Row] = []
        for name, ast in of(kernel):
            loops = ast.to_c(iterator_type="long", definitions=True)
            if loops not in known:
                try:
                    known[loops], _ = measured(workshop, loops, expected)
                except BrokenProgramError as error:
                    raise BrokenProgramError(f"{kernel.name}, {name}: {error}") from error
            copies, deepest = static_quality(ast).copies, overhead_depth(ast)
            rows.append(_row(name, known[loops], base, copies, deepest))
        rows.append(_row(ORIGINAL, base, base, kernel.statement_count, None))
        return Table(kernel.name, kernel.about, kernel.size, tuple(rows))


def _row(name: str, here: Measure, base: Measure, copies: int, deepest: int | None) -> Row:
    whole = 100 / base.instructions
    overhead = whole * (here.instructions - base.instructions)
    return Row(name, here, overhead, whole * (here.control - base.control), copies, deepest)


# --- printing -------------------------------------------------------------------------------------

WIDTH = 20


def lines(found: Table) -> Iterator[str]:
    """The table, beside that of the paper where it has one."""
    yield f"{found.kernel}: {found.about}; n = {found.size}"
    names = ("overhead", "control", "bytes", "copies", "deepest")
    is_papers = found.kernel == KERNELS[0].name
    papers = ("overhead", "bytes") if is_papers else ()
    if is_papers:
        yield " " * (WIDTH + 10 * len(names)) + f"{'the paper':>20}"
    yield f"{'':<{WIDTH}}" + "".join(f"{name:>10}" for name in (*names, *papers))
    for row in found.rows:
        deepest = "-" if row.deepest is None else row.deepest
        cells = f"{percents(row.overhead):>10}{percents(row.control):>10}{row.measure.size:>10}"
        cells += f"{row.copies:>10}{deepest:>10}"
        if is_papers and row.name in PAPER:
            part, size = PAPER[row.name]
            cells += f"{part:>9}%{size:>10}"
        yield f"{row.name:<{WIDTH}}{cells}"


def percents(value: float) -> str:
    """With one digit after the point, and no sign if that is zero.

    >>> percents(12.34), percents(-0.04)
    ('12.3%', '0.0%')
    """
    return f"{round(value, 1) + 0.0:.1f}%"


def verdicts(found: Table) -> Iterator[str]:
    """What the table says: does less overhead in the text mean less of it executed?"""
    lifted = [row for row in found.rows if row.name == INITIAL or row.name.startswith("k = ")]
    others = [row for row in found.rows if row.name.startswith("AST ")]
    for what, figure in (("overhead", _overhead), ("control", _control)):
        yield _fall(what, [(row.name, figure(row)) for row in lifted])
        told = [_least(rows, figure) for rows in (lifted, others) if rows]
        yield f"least {what}: {'; of the AST generator: '.join(told)}"
    if found.kernel == KERNELS[0].name:
        yield from _shape(found)


def _overhead(row: Row) -> float:
    return round(row.overhead, 1)


def _control(row: Row) -> float:
    return round(row.control, 1)


def _fall(what: str, figures: Sequence[tuple[str, float]]) -> str:
    rises = [
        f"{name} ({percents(before)} to {percents(here)})"
        for (_, before), (name, here) in pairwise(figures)
        if here > before
    ]
    return f"{what} falls with k{', but not at ' + ', '.join(rises) if rises else ''}"


def _least(rows: Sequence[Row], figure: Callable[[Row], float]) -> str:
    """The best row; of equal ones, the smallest."""
    best = min(rows, key=lambda row: (figure(row), row.measure.size))
    return f"{best.name} with {percents(figure(best))} in {best.measure.size} bytes"


def _shape(found: Table) -> Iterator[str]:
    """Are all rows in the order of the paper's?"""
    rows = [found.row(name) for name in PAPER]
    for what, ours, theirs in (
        ("overhead", [row.overhead for row in rows], [each for each, _ in PAPER.values()]),
        ("bytes", [row.measure.size for row in rows], [size for _, size in PAPER.values()]),
    ):
        odd = [
            f"{rows[one].name} and {rows[two].name}"
            for one in range(len(rows))
            for two in range(one)
            if (ours[one] - ours[two]) * (theirs[one] - theirs[two]) < 0
            or (theirs[one] == theirs[two]) != (ours[one] == ours[two])
        ]
        yield f"{what} in the order of the paper: {'all but ' + ', '.join(odd) if odd else 'yes'}"


def document(tables: Sequence[Table], flags: Sequence[str]) -> str:
    """Everything as JSON."""
    paper = {name: {"overhead": part, "size": size} for name, (part, size) in PAPER.items()}
    whole = {"flags": flags, "paper": paper, "kernels": [asdict(each) for each in tables]}
    return json.dumps(whole, indent=1)


# --- from the command line ------------------------------------------------------------------------


def main(given: Sequence[str] | None = None) -> int:
    """Print the tables; the status is 1 if a program is wrong, and 2 if a tool is missing."""
    arguments = _parser().parse_args(given)
    missing = next((tool for tool in TOOLS if shutil.which(tool) is None), None)
    if missing is not None:
        print(f"{missing} is not installed, and nothing is counted without it", file=sys.stderr)
        return 2
    flags = arguments.flags.split()
    tables: list[Table] = []
    for kernel in KERNELS:
        if arguments.kernel not in (None, kernel.name):
            continue
        size = min(arguments.size or kernel.size, kernel.size)
        try:
            tables.append(table(replace(kernel, size=max(size, kernel.least)), flags))
        except BrokenProgramError as error:
            print(f"WRONG  {error}", file=sys.stderr)
            return 1
        if not arguments.json:
            print(*lines(tables[-1]), *verdicts(tables[-1]), "", sep="\n", flush=True)
    if arguments.json:
        print(document(tables, flags))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [kernel.name for kernel in KERNELS]
    parser.add_argument("--kernel", choices=names, help="this one only")
    parser.add_argument("--size", type=int, metavar="N", help="at most this n; each has its own")
    parser.add_argument("--flags", default=FLAGS, help="those of gcc")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parser


if __name__ == "__main__":
    sys.exit(main())
