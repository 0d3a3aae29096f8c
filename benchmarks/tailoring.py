"""Coats of the kernels: the same computation as three kinds of people would write it.

"suite" says types, sizes, arrays, literals, functions, timers and dumps by macros; "library" has
structs with flat pointers behind AT(m, i, j), unsigned counters, ``<=`` and ``while``, and what it
knows of sizes in ``assert``; "application" has inline helpers for values and for elements, another
kernel in front, prints between, and a loop that follows a list behind.  All are derived from the
text of the plain kernel, and compute the same bits.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.kernel_text import (
    Array,
    Assignment,
    Block,
    Choice,
    KernelText,
    Loop,
    Statement,
    kernel_text,
    variables,
)
from benchmarks.programs import KERNELS, ROOT

HEADERS = ROOT / "benchmarks/coats"
BEGIN = "  /* the kernel */"
END = "  /* the kernel ends */"
LITERAL = re.compile(r"(?<![\w.])(\d+\.\d+)f?\b")
ACCESS = re.compile(r"\b(\w+)((?:\[[^\[\]]*\])+)")
OPERAND = re.compile(r"\b[A-Za-z_]\w*\b(?:\[[^\[\]]*\])*(?!\s*\()")
FUNCTIONS = {"sqrt": "SQRT_FUN", "sqrtf": "SQRT_FUN", "exp": "EXP_FUN", "expf": "EXP_FUN"}
RANKS = {2: "matrix", 3: "tensor"}
EXTENTS = {2: ("rows", "cols"), 3: ("planes", "rows", "cols")}


def _same(text: str) -> str:
    return text


def _counted(loop: Loop, text: Writer) -> str:
    """The head of a loop as it was, but for its operands."""
    first, bound = text.value(loop.first), text.value(loop.bound)
    variable = loop.variable
    head = f"{variable} = {first}; {variable} {loop.test} {bound}; {variable}{loop.step}"
    return f"for ({text.declared}{head})"


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes statements in a coat."""

    element: Callable[[str, list[str]], str]
    """An element of an array, by its subscripts."""
    words: Mapping[str, str]
    """What stands for sizes."""
    literal: Callable[[str], str] = _same
    named: Callable[[Assignment, int], str | None] = lambda _, __: None
    """The value of an assignment, if a helper computes it."""
    head: Callable[[Loop, Writer], str] = _counted
    declared: str = ""
    loop_as: Callable[[Loop, Writer, int], list[str] | None] = lambda _, __, ___: None
    """A loop in a form of its own, at that depth."""
    numbers: dict[int, int] = field(default_factory=dict[int, int])

    def value(self, text: str) -> str:
        """An expression in the coat."""
        worded = re.sub(r"\b[A-Za-z_]\w*\b", lambda found: self.words.get(found[0], found[0]), text)
        return self.literal(ACCESS.sub(self._accessed, worded))

    def _accessed(self, found: re.Match[str]) -> str:
        return self.element(found[1], re.findall(r"\[([^\[\]]*)\]", found[2]))

    def lines(self, statement: Statement, depth: int) -> list[str]:
        """A statement in the coat, with so much in front."""
        pad = "  " * depth
        match statement:
            case Assignment(target, operator, value):
                said = self.named(statement, depth) or self.value(value)
                return [f"{pad}{self.value(target)} {operator} {said};"]
            case Block(inner):
                lines = [line for each in inner for line in self.lines(each, depth + 1)]
                return [f"{pad}{{", *lines, f"{pad}}}"]
            case Choice(condition, then, other):
                lines = [f"{pad}if ({self.value(condition)})", *self.inside(then, depth)]
                return (
                    lines if other is None else [*lines, f"{pad}else", *self.inside(other, depth)]
                )
            case Loop():
                own = self.loop_as(statement, self, depth)
                if own is not None:
                    return own
                return [f"{pad}{self.head(statement, self)}", *self.inside(statement.body, depth)]

    def inside(self, statement: Statement, depth: int) -> list[str]:
        """A statement that belongs to another one."""
        return self.lines(statement, depth if isinstance(statement, Block) else depth + 1)

    def region(self, kernel: KernelText) -> list[str]:
        """All statements of a kernel, between two lines that can be found again."""
        lines = [line for each in kernel.statements for line in self.lines(each, 1)]
        return [BEGIN, *lines, END]


# --- suite ----------------------------------------------------------------------------------------


def suite(kernel: KernelText, number: int) -> str:
    """Everything is a macro of the suite."""
    del number
    sizes = [each for each in kernel.sizes if f"#define {each.upper()} " in kernel.before]
    bounds = [f"#define SB_{each.upper()} SUITE_BOUND({each.upper()}, {each})" for each in sizes]
    arrays = {each.name for each in kernel.arrays}

    def element(name: str, subscripts: list[str]) -> str:
        listed = "".join(f"[{each}]" for each in subscripts)
        return f"VALUES({name}){listed}" if name in arrays else f"{name}{listed}"

    def literal(text: str) -> str:
        said = re.sub(r"\b(\w+)(?=\()", lambda found: FUNCTIONS.get(found[1], found[1]), text)
        return LITERAL.sub(r"SCALAR_VAL(\1)", said)

    writer = Writer(element, {each: f"SB_{each.upper()}" for each in sizes}, literal)
    lines = [
        "__attribute__((noinline))",
        f"static void kernel_{kernel.name}({', '.join(_suite_parameters(kernel))})",
        "{",
        f"  int {', '.join(variables(kernel.statements))};",
        *_locals(kernel, writer, "DATA_TYPE"),
        *writer.region(kernel),
        "}",
    ]
    opening = [f"#define DATA_TYPE_IS_{kernel.element.upper()}", '#include "suite.h"', *bounds]
    return f"{kernel.before}{_text(opening)}\n{_text(lines)}{_suite_main(kernel)}"


def _suite_parameters(kernel: KernelText) -> Iterator[str]:
    for each in kernel.parameters:
        if each in kernel.sizes:
            yield f"int {each}"
        elif each in kernel.scalars:
            yield f"DATA_TYPE {each}"
        else:
            sizes = kernel.array(each).sizes
            listed = ", ".join([each, *map(str.upper, sizes), *sizes])
            yield f"DATA_TYPE GRID_{len(sizes)}D({listed})"


def _suite_main(kernel: KernelText) -> str:
    kind = kernel.element
    allocation = re.compile(
        rf"{kind} (?:\(\*(\w+)\)(?:\[\w+\])+|\*(\w+)) = "
        rf"bench_alloc\(sizeof\({kind}((?:\[\w+\])+)\)\)"
    )

    def on_heap(found: re.Match[str]) -> str:
        sizes = re.findall(r"\w+", found[3])
        listed = ", ".join([found[1] or found[2], *map(str.upper, sizes), *sizes])
        return f"HEAP_{len(sizes)}D({listed})"

    text = allocation.sub(on_heap, kernel.behind)
    text = re.sub(r"bench_dump\(\"(\w+)\", '.', \1, ", r"SUITE_DUMP(\1, ", text)
    text = text.replace("bench_start(&bench)", "SUITE_START_TIMER")
    return text.replace("bench_stop(&bench)", "SUITE_STOP_TIMER")


# --- library --------------------------------------------------------------------------------------


def library(kernel: KernelText, number: int) -> str:
    """Matrices are structs, and their elements are behind AT."""
    members = _members(kernel)
    ranks = {each.name: len(each.sizes) for each in kernel.arrays}
    counter = ("size_t", "unsigned")[number % 2]
    loops = _LibraryLoops(kernel, members, number)

    def element(name: str, subscripts: list[str]) -> str:
        rank = ranks.get(name, 1)
        if rank == 1:
            return f"{name}[{subscripts[0]}]"
        return f"AT{'' if rank == 2 else rank}({', '.join([name, *subscripts])})"

    writer = Writer(element, members, head=loops.head, loop_as=loops.own)
    lines = [
        "__attribute__((noinline))",
        f"static void library_{kernel.name}({', '.join(_library_parameters(kernel, number))})",
        "{",
        f"  index_t {', '.join(variables(kernel.statements))};",
        *_asserted(kernel, members),
        *_locals(kernel, writer, kernel.element),
        *writer.region(kernel),
        "}",
        "",
        *_library_call(kernel),
    ]
    opening = [
        f"#define ELEMENT {kernel.element}",
        f"#define INDEX {counter}",
        '#include "library.h"',
    ]
    return f"{kernel.before}{_text(opening)}\n{_text(lines)}{kernel.behind}"


def _members(kernel: KernelText) -> dict[str, str]:
    """The sizes that matrices know, in the words of the first that does."""
    found: dict[str, str] = {}
    for each in kernel.arrays:
        for size, extent in zip(each.sizes, EXTENTS.get(len(each.sizes), ()), strict=False):
            found.setdefault(size, f"{each.name}->{extent}")
    return found


def _asserted(kernel: KernelText, members: Mapping[str, str]) -> Iterator[str]:
    for size in kernel.sizes:
        yield f"  assert(REASONABLE({members.get(size, size)}));"
    for each in kernel.arrays:
        for size, extent in zip(each.sizes, EXTENTS.get(len(each.sizes), ()), strict=False):
            if members[size] != f"{each.name}->{extent}":
                yield f"  assert({each.name}->{extent} == {members[size]});"


def _library_parameters(kernel: KernelText, number: int) -> Iterator[str]:
    members = _members(kernel)
    alone = "restrict " if number % 3 == 0 else ""
    for each in kernel.parameters:
        if each in kernel.sizes:
            if each not in members:
                yield f"index_t {each}"
        elif each in kernel.scalars:
            yield f"{kernel.element} {each}"
        else:
            rank = len(kernel.array(each).sizes)
            kind = f"struct {RANKS[rank]}" if rank > 1 else kernel.element
            yield f"{'' if each in kernel.written else 'const '}{kind} *{alone}{each}"


def _library_call(kernel: KernelText) -> Iterator[str]:
    """The plain kernel, which makes the structs and calls the library."""
    members = _members(kernel)
    yield f"static void kernel_{kernel.name}({', '.join(_plain_parameters(kernel))})"
    yield "{"
    given: list[str] = []
    for each in kernel.parameters:
        if each in members:
            continue
        if each in kernel.sizes or each in kernel.scalars:
            given.append(each)
            continue
        array = kernel.array(each)
        rank = len(array.sizes)
        if rank > 1:
            listed = ", ".join([*array.sizes, f"&{each}{'[0]' * rank}"])
            yield f"  struct {RANKS[rank]} its_{each} = {{{listed}}};"
        given.append(each if rank == 1 else f"&its_{each}")
    yield f"  library_{kernel.name}({', '.join(given)});"
    yield "}"


class _LibraryLoops:
    """Loops with unsigned counters: some end with ``<=``, some are ``while``."""

    def __init__(self, kernel: KernelText, members: Mapping[str, str], number: int) -> None:
        self.sizes = kernel.sizes
        self.members = members
        self.number = number
        self.seen = 0

    def head(self, loop: Loop, text: Writer) -> str:
        """Down to zero by the value before, up to the last one in every other loop."""
        self.seen += 1
        if loop.step == "--" and loop.bound == "0":
            first = _one_more(loop.first)
            return f"for ({loop.variable} = {text.value(first)}; {loop.variable}-- > 0;)"
        size = re.fullmatch(r"(\w+)(?: - (\d+))?", loop.bound)
        if loop.test != "<" or self.seen % 2 or size is None or size[1] not in self.sizes:
            return _counted(loop, text)
        last = text.value(f"{size[1]} - {int(size[2] or 0) + 1}")
        variable = loop.variable
        return f"for ({variable} = {text.value(loop.first)}; {variable} <= {last}; ++{variable})"

    def own(self, loop: Loop, text: Writer, depth: int) -> list[str] | None:
        """The outermost loops of some kernels are ``while``."""
        if depth > 1 or self.number % 3 != 1 or loop.step != "++":
            return None
        pad = "  " * depth
        inner = loop.body.statements if isinstance(loop.body, Block) else (loop.body,)
        return [
            f"{pad}{loop.variable} = {text.value(loop.first)};",
            f"{pad}while ({loop.variable} {loop.test} {text.value(loop.bound)}) {{",
            *(line for each in inner for line in text.lines(each, depth + 1)),
            f"{pad}  {loop.variable}++;",
            f"{pad}}}",
        ]


def _one_more(first: str) -> str:
    """The number behind.

    >>> _one_more("n - 1"), _one_more("n - 2"), _one_more("i")
    ('n', 'n - 1', 'i + 1')
    """
    found = re.fullmatch(r"(\w+) - (\d+)", first)
    if found is None:
        return f"{first} + 1"
    less = int(found[2]) - 1
    return f"{found[1]} - {less}" if less else found[1]


# --- application ----------------------------------------------------------------------------------


def application(kernel: KernelText, number: int) -> str:
    """The kernel is one of several things that a long function does, with helpers of its own."""
    is_flat = number % 2 == 1
    arrays = {each.name: each for each in kernel.arrays}
    helpers = _Helpers(kernel)

    def element(name: str, subscripts: list[str]) -> str:
        array = arrays.get(name)
        if not is_flat or array is None or len(array.sizes) == 1:
            return f"{name}{''.join(f'[{each}]' for each in subscripts)}"
        suffix = "" if len(array.sizes) == 2 else len(array.sizes)
        return f"*cell{suffix}({', '.join([name, *array.sizes[1:], *subscripts])})"

    writer = Writer(element, {}, named=helpers.call, declared="int ")
    helpers.writer = writer
    region = writer.region(kernel)
    taken = _flat_parameters(kernel) if is_flat else _plain_parameters(kernel)
    lines = [
        *helpers.written,
        "",
        "__attribute__((noinline))",
        f"static void application_{kernel.name}({', '.join(taken)})",
        "{",
        *_locals(kernel, writer, kernel.element),
        *OTHER_KERNEL,
        f'  fprintf(stderr, "{kernel.name}: blended %g\\n", blended[3][4]);',
        *region,
        f'  fprintf(stderr, "{kernel.name}: done\\n");',
        *LIST,
        f'  fprintf(stderr, "{kernel.name}: %d in the list\\n", length);',
        "}",
        "",
        *_application_call(kernel, is_flat),
    ]
    opening = [f"#define ELEMENT {kernel.element}", '#include "application.h"']
    return f"{kernel.before}{_text(opening)}\n{_text(lines)}{kernel.behind}"


OTHER_KERNEL = (
    "  for (int i = 0; i < BLENDED; i++)",
    "    for (int j = 0; j < BLENDED; j++) {",
    "      blend[i][j] = 1.0 / (i + j + 1);",
    "      blended[i][j] = 0.0;",
    "    }",
    "  for (int i = 0; i < BLENDED; i++)",
    "    for (int j = 0; j < BLENDED; j++)",
    "      for (int k = 0; k < BLENDED; k++)",
    "        blended[i][j] += blend[i][k] * blend[k][j];",
)
LIST = (
    "  int length = 0;",
    "  for (int at = 0; at >= 0; at = follower[at])",
    "    length++;",
)


class _Helpers:
    """Inline functions that compute values; like values have one of them."""

    def __init__(self, kernel: KernelText) -> None:
        self.kernel = kernel
        self.known: dict[str, str] = {}
        self.written: list[str] = []
        self.writer: Writer | None = None

    def call(self, assignment: Assignment, depth: int) -> str | None:
        """The call that computes a value, unless it is nothing but an operand or a number."""
        del depth
        operands = list(dict.fromkeys(OPERAND.findall(assignment.value)))
        if not operands or OPERAND.fullmatch(assignment.value):
            return None
        assert self.writer is not None
        names = {each: f"x{number}" for number, each in enumerate(operands)}
        body = OPERAND.sub(lambda found: names[found[0]], assignment.value)
        if body not in self.known:
            self.known[body] = name = f"{self.kernel.name.lower()}_{len(self.known)}".lstrip("23")
            kind = self.kernel.element
            taken = ", ".join(f"{kind} {each}" for each in names.values())
            self.written += [f"static inline {kind} {name}({taken})", "{", f"  return {body};", "}"]
        return f"{self.known[body]}({', '.join(map(self.writer.value, operands))})"


def _flat_parameters(kernel: KernelText) -> list[str]:
    plain = zip(kernel.parameters, _plain_parameters(kernel), strict=True)
    flat = {each.name for each in kernel.arrays if len(each.sizes) > 1}
    return [f"{kernel.element} *{name}" if name in flat else said for name, said in plain]


def _application_call(kernel: KernelText, is_flat: bool) -> list[str]:
    ranks = {each.name: len(each.sizes) for each in kernel.arrays}
    given = [
        f"&{each}{'[0]' * ranks[each]}" if is_flat and ranks.get(each, 1) > 1 else each
        for each in kernel.parameters
    ]
    return [
        f"static void kernel_{kernel.name}({', '.join(_plain_parameters(kernel))})",
        "{",
        f"  application_{kernel.name}({', '.join(given)});",
        "}",
    ]


# --- what coats share -----------------------------------------------------------------------------

COATS: Mapping[str, Callable[[KernelText, int], str]] = {
    "suite": suite,
    "library": library,
    "application": application,
}


def _plain_parameters(kernel: KernelText) -> list[str]:
    def said(name: str) -> str:
        if name in kernel.sizes:
            return f"int {name}"
        if name in kernel.scalars:
            return f"{kernel.element} {name}"
        return f"{kernel.element} {_declarator(kernel.array(name))}"

    return [said(each) for each in kernel.parameters]


def _declarator(array: Array) -> str:
    return array.name + "".join(f"[{size}]" for size in array.sizes)


def _locals(kernel: KernelText, writer: Writer, kind: str) -> Iterator[str]:
    """The declarations of a kernel; only their values are in the coat."""
    for each in kernel.locals:
        words = re.sub(rf"^{kernel.element}\b", kind, each)
        yield f"  {re.sub(r'(?<== )[^,]+', lambda found: writer.value(found[0]), words)};"


def _text(lines: list[str]) -> str:
    return "".join(f"{each}\n" for each in lines)


def tailored(kernel: Path, coat: str) -> str:
    """A kernel in a coat."""
    number = sorted(KERNELS.glob("*.c")).index(kernel)
    return COATS[coat](kernel_text(kernel.read_text()), number)


def written(kernel: Path, coat: str | None, folder: Path) -> Path:
    """A kernel in a coat, or the plain one, in a folder with all headers beside it."""
    folder.mkdir(exist_ok=True)
    for header in (KERNELS / "bench.h", *HEADERS.glob("*.h")):
        shutil.copy(header, folder)
    path = folder / kernel.name
    path.write_text(kernel.read_text() if coat is None else tailored(kernel, coat))
    return path


def lines_of_kernel(text: str) -> tuple[int, int]:
    """The first and the last line of what a coat computes."""
    lines = text.splitlines()
    return lines.index(BEGIN) + 1, lines.index(END) + 1
