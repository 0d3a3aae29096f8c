"""The arrays of a random program: referenced first, sized afterwards.

Integer arrays hold non-negative numbers only, and every statement keeps them so; then ``% size``
makes any of them a subscript.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from .choices import Choices
from .values import Value, Variable, affine, constant, remainder


class Kind(Enum):
    """How an array is declared."""

    FIXED = "double A[4][5] as a parameter"
    SIZED = "double A[nA0][nA1], with its own size parameters"
    DERIVED = "double A[n + 2][m]"
    GLOBAL = "an array at file scope"
    LINEAR = "double *A, with A[i * ldA + j]"


RECORD_MEMBERS = (".x", ".k", ".v[{}]")
RECORD_LENGTH = 3


@dataclass(slots=True)
class RandomArray:
    """An array whose extents grow with what is asked of it."""

    name: str
    element: str
    kind: Kind
    needed: list[int]
    sizes_from: tuple[Variable, ...] = ()

    @property
    def rank(self) -> int:
        """The number of subscripts."""
        return len(self.needed)

    @property
    def length(self) -> int:
        """How many elements the memory behind it needs, whatever the parameters are."""
        total = 1
        for dimension in range(self.rank):
            total *= self._largest(dimension)
        return total

    def _largest(self, dimension: int) -> int:
        if self.kind is not Kind.DERIVED:
            return self.needed[dimension]
        variable = self.sizes_from[dimension]
        return variable.high + max(0, self.needed[dimension] - variable.low)

    def extent_text(self, dimension: int) -> str:
        """An extent, as the declaration spells it."""
        if self.kind is Kind.SIZED:
            return f"n{self.name}{dimension}"
        if self.kind is Kind.DERIVED:
            variable = self.sizes_from[dimension]
            more = max(0, self.needed[dimension] - variable.low)
            return f"{variable.name} + {more}" if more else variable.name
        return str(self.needed[dimension])

    def element_text(self, subscripts: list[Value]) -> str:
        """A reference to an element; asks for the room that it needs."""
        for dimension, subscript in enumerate(subscripts):
            assert subscript.low >= 0
            self.needed[dimension] = max(self.needed[dimension], subscript.high + 1)
        if self.kind is Kind.LINEAR and self.rank == 2:
            row, column = (each.grouped().text for each in subscripts)
            return f"{self.c_name}[{row} * ld{self.name} + {column}]"
        return self.c_name + "".join(f"[{each.text}]" for each in subscripts)

    @property
    def c_name(self) -> str:
        """Global names carry the program's number, which is written for ``@``."""
        return f"{self.name}@" if self.kind is Kind.GLOBAL else self.name

    def size_parameters(self) -> list[tuple[str, int]]:
        """The integer parameters that only this array needs, with their values."""
        if self.kind is Kind.SIZED:
            return [(f"n{self.name}{d}", self.needed[d]) for d in range(self.rank)]
        if self.kind is Kind.LINEAR and self.rank == 2:
            return [(f"ld{self.name}", self.needed[1])]
        return []

    def declaration(self) -> str:
        """The array as a parameter of the function, or at file scope."""
        if self.kind is Kind.LINEAR:
            return f"{self.element} *{self.name}"
        extents = "".join(f"[{self.extent_text(d)}]" for d in range(self.rank))
        return f"{self.element} {self.c_name}{extents}"


@dataclass(slots=True)
class Data:
    """All arrays of a program, made when first wanted."""

    choices: Choices
    parameters: tuple[Variable, ...]
    arrays: dict[str, RandomArray] = field(default_factory=dict)

    def _array(self, names: str, element: str) -> RandomArray:
        name = self.choices.choose(names)
        if name not in self.arrays:
            rank = self.choices.choose((1, 2, 1, 3)) if element == "double" else 1
            kind = self.choices.choose(tuple(Kind) if rank < 3 else tuple(Kind)[:4])
            if element.startswith("struct"):
                kind = self.choices.choose((Kind.FIXED, Kind.SIZED))
            sizes = tuple(self.choices.choose(self.parameters) for _ in range(rank))
            self.arrays[name] = RandomArray(name, element, kind, [1] * rank, sizes)
        return self.arrays[name]

    def number(self, scope: tuple[Variable, ...]) -> str:
        """A reference to a floating-point element."""
        if self.choices.chance(8):
            return self._member(scope)
        array = self._array("ABCD", "double")
        return array.element_text([self._subscript(scope) for _ in range(array.rank)])

    def integer(self, scope: tuple[Variable, ...]) -> str:
        """A reference to an integer element, which is never negative."""
        array = self._array("XY", "int")
        return array.element_text([self._subscript(scope, indirect=False)])

    def indexed(self, subscript: str, high: int) -> str:
        """An element of a list whose subscript is data."""
        array = self._array("ABCD", "double")
        last = Value(subscript, 0, high)
        return array.element_text([constant(0)] * (array.rank - 1) + [last])

    def row(self, scope: tuple[Variable, ...], columns: int) -> str | None:
        """A row of doubles with that many columns, to be handed to a function."""
        array = self._array("ABCD", "double")
        if array.kind is Kind.LINEAR or array.rank == 3:
            return None
        array.needed[-1] = max(array.needed[-1], columns)
        outer = [self._subscript(scope) for _ in range(array.rank - 1)]
        for dimension, subscript in enumerate(outer):
            array.needed[dimension] = max(array.needed[dimension], subscript.high + 1)
        return array.c_name + "".join(f"[{each.text}]" for each in outer)

    def _member(self, scope: tuple[Variable, ...]) -> str:
        array = self._array("P", "struct cell@")
        element = array.element_text([self._subscript(scope)])
        member = self.choices.choose((".x", ".v[{}]"))
        inner = affine(self.choices, scope)
        inner = remainder(inner if inner.low >= 0 else inner.plus(-inner.low), RECORD_LENGTH)
        return element + member.format(inner.text)

    def _subscript(self, scope: tuple[Variable, ...], indirect: bool = True) -> Value:
        if indirect and self.choices.chance(7):
            size = self.choices.integer(1, 6)
            return Value(f"{self.integer(scope)} % {size}", 0, size - 1)
        unsigned = [each for each in scope if each.is_unsigned]
        if unsigned and self.choices.chance(60):
            return self.choices.choose(unsigned).value.plus(self.choices.integer(0, 2))
        value = affine(self.choices, scope)
        if value.low < 0 or self.choices.chance(20):
            value = value.plus(-value.low)
        return value if value.high < 40 else constant(value.high % 7)
