"""Random programs of plain loop nests: products, stencils, recurrences, triangles, scalars.

The programs of :mod:`tests.execution` have a bit of everything, and few loops that can be tiled;
these are what tiles, blocks, wavefronts, vector and parallel loops are for.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from tests.execution.programs import RandomProgram

EXTENT = 26
"""Of every dimension: no subscript is greater, with all parameters up to 8."""
ITERATORS = "ijkl"
DECLARED = "int printf(const char *, ...);\n"


@dataclass(frozen=True, slots=True)
class Array:
    """An array that is global, or that the function gets with its sizes."""

    name: str
    rank: int
    element: str
    is_global: bool

    @property
    def sizes(self) -> str:
        return f"[{EXTENT}]" * self.rank if self.is_global else f"[n + {EXTENT}]" * self.rank


@dataclass(slots=True)
class Writer:
    """The text of a program, from a source of chance."""

    random: Random
    arrays: list[Array] = field(default_factory=list)
    statements: int = 0
    has_row: bool = False
    """Is there a row of values, ``t``, that iterations gather in?"""

    def program(self) -> RandomProgram:
        """A program with one region."""
        ranks = self.random.choice(([1, 2, 2], [2, 2, 2], [1, 1, 2], [1, 2, 3]))
        for name, rank in zip("ABC", ranks, strict=True):
            element = self.random.choice(["double"] * 6 + ["float", "int"])
            is_global = self.random.random() < 0.5
            self.arrays.append(Array(f"{name}@" if is_global else name, rank, element, is_global))
        region: list[str] = []
        for _ in range(self.random.choice((1, 1, 2, 3))):
            region += self.nest(0, self.random.choice((1, 2, 2, 3, 3)))
        if self.has_row:
            self.arrays.append(Array("t@", 1, "double", is_global=True))
        return RandomProgram(self._assembled(region), ())

    def nest(self, depth: int, deepest: int) -> list[str]:
        """Loops around statements, and statements next to loops."""
        if depth == deepest:
            is_gathering = 0 < depth < len(ITERATORS) - 1 and self.random.random() < 0.2
            return self._gathering(depth) if is_gathering else self._body(depth)
        inside: list[str] = []
        if self.random.random() < 0.2:
            inside += self._statement(depth + 1)
        inside += self.nest(depth + 1, deepest)
        if self.random.random() < 0.15:
            inside += self.nest(depth + 1, min(deepest, depth + 2))
        elif self.random.random() < 0.1:
            inside += self._statement(depth + 1)
        return [f"{self._head(depth)} {{", *(f"  {line}" for line in inside), "}"]

    def _head(self, depth: int) -> str:
        it = ITERATORS[depth]
        outer = ITERATORS[:depth]
        low = self.random.choice(["0", "0", "0", "1", "2"])
        high = self.random.choice(["n", "n", "m", "n - 1", "8", "5"])
        if outer and self.random.random() < 0.2:
            low = self.random.choice(outer) + self.random.choice(["", " + 1"])
        elif outer and self.random.random() < 0.2:
            high = self.random.choice(outer) + self.random.choice(["", " + 1"])
        kind = self.random.random()
        if kind < 0.07:
            return f"for (int {it} = {high} - 1; {it} >= {low}; {it}--)"
        step = f"{it} += 2" if kind < 0.12 else f"{it}++"
        return f"for (int {it} = {low}; {it} < {high}; {step})"

    def _body(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            lines += self._statement(depth)
        return lines

    def _gathering(self, depth: int) -> list[str]:
        """A value, or a row of them, that is computed step by step and then used."""
        self.statements += 3
        inner = self._head(depth)
        if self.random.random() < 0.5:
            return [
                "s = 0.5;",
                inner,
                f"  s += {self._value(depth + 1)};",
                f"{self._element(depth)} = s;",
            ]
        self.has_row = True
        element = f"t@[{ITERATORS[depth]} + {self.random.randint(0, 2)}]"
        return [
            inner,
            f"  {element} = {self._value(depth + 1)};",
            inner,
            f"  {self._head(depth + 1)}",
            f"    {element} -= {self._value(depth + 2)};",
            inner,
            f"  {self._element(depth + 1)} += {element};",
        ]

    def _statement(self, depth: int) -> list[str]:
        self.statements += 1
        if self.random.random() < 0.08:
            line = f"s = {self._value(depth)};"
            return [line, f"{self._element(depth)} = 0.5 * s;"]
        if self.random.random() < 0.05:
            return [f"s += {self._value(depth)};"]
        operator = self.random.choice(["=", "=", "+=", "+=", "-="])
        line = f"{self._element(depth)} {operator} {self._value(depth)};"
        if depth > 1 and self.random.random() < 0.06:
            first, second = self.random.sample(ITERATORS[:depth], 2)
            return [f"if ({first} < {second} + {self.random.randint(0, 2)})", f"  {line}"]
        return [line]

    def _value(self, depth: int) -> str:
        one, other = self._element(depth), self._element(depth)
        return self.random.choice(
            [
                f"0.5 * {one} + {other}",
                f"0.25 * {one} * {other}",
                f"0.5 * {one}",
                f"0.25 * ({one} + {other} + {self._element(depth)})",
                f"(n > 3 ? {one} : {other})",
                f"({one} < 1 ? {other} : 0.5)",
                f"s + 0.125 * {one}",
                "1",
            ]
        )

    def _element(self, depth: int) -> str:
        array = self.random.choice(self.arrays)
        last = self.random.random() < 0.5
        subscripts: list[str] = []
        for at in range(array.rank):
            # Often in the order of the loops, as people write it.
            near = min(depth - 1, at + (depth - array.rank if last else 0))
            subscripts.append(self._subscript(depth, max(0, near)))
        return array.name + "".join(f"[{each}]" for each in subscripts)

    def _subscript(self, depth: int, near: int) -> str:
        it = (
            ITERATORS[near] if self.random.random() < 0.7 else self.random.choice(ITERATORS[:depth])
        )
        other = self.random.choice(ITERATORS[:depth])
        offset = self.random.choice((2, 2, 2, 1, 3))
        return self.random.choice(
            [f"{it} + {offset}"] * 8
            + [it] * 4
            + [f"{it} + {other} + {offset}", f"2 * {it} + 1", f"n + {offset} - {it} + 8", "n", "3"]
        )

    def _assembled(self, region: list[str]) -> str:
        own = [each for each in self.arrays if each.is_global]
        passed = [each for each in self.arrays if not each.is_global]
        parameters = [f"{each.element} {each.name}{each.sizes}" for each in passed]
        lines = [
            DECLARED,
            *(f"static {each.element} {each.name}{each.sizes};" for each in own),
            f"double kernel@({', '.join(['int n', 'int m', *parameters])})",
            "{",
            "  double s = 0.75;",
            "#pragma scop",
            *(f"  {line}" for line in region),
            "#pragma endscop",
            "  return s;",
            "}",
            *self._main(),
        ]
        return "\n".join([*lines, ""])

    def _main(self) -> list[str]:
        lines = ["void main@(void)", "{", "  double total;"]
        for n, m in [(8, 7), self.random.choice([(5, 8), (1, 1), (0, 3), (3, 2)])]:
            arguments = [str(n), str(m)]
            lines.append("  {")
            for each in self.arrays:
                extent = EXTENT if each.is_global else n + EXTENT
                if not each.is_global:
                    lines.append(
                        f"    static {each.element} {each.name}{f'[{extent}]' * each.rank};"
                    )
                    arguments.append(each.name)
                length = extent**each.rank
                flat = f"(({each.element} *){each.name})"
                lines.append(
                    f"    for (int k = 0; k < {length}; k++) {flat}[k] = (k * 5 + 2) % 7 * 0.5 - 1;"
                )
            lines.append(f"    total = kernel@({', '.join(arguments)});")
            lines.append('    printf("%a\\n", total);')
            for each in self.arrays:
                length = (EXTENT if each.is_global else n + EXTENT) ** each.rank
                flat = f"(({each.element} *){each.name})"
                lines.append(f"    for (int k = 0; k < {length}; k++) total += {flat}[k] * k;")
            lines.append("  }")
        return [*lines, "}"]


def numbered_nests(seed: int, most: int) -> Iterator[tuple[int, RandomProgram]]:
    """Programs with up to so many statements, each with the seed that it comes from."""
    for number in itertools.count(seed):
        writer = Writer(Random(number))
        program = writer.program()
        if writer.statements <= most:
            yield number, program


def small_nests(seed: int, count: int, most: int = 4) -> list[RandomProgram]:
    """Programs with few statements, which take little time."""
    return [program for _, program in islice(numbered_nests(seed, most), count)]
