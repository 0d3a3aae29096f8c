"""Memory as C sees it: objects, elements at offsets in them, and pointers.

An object knows the type of what its dimensions hold, and is accessed as that type only.  Elements
that nobody has written hold what was there before, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import NamedTuple

from loopwright.evaluation.numbers import Kind, kind_of
from loopwright.evaluation.outcomes import CannotEvaluate, Outside, Undefined
from loopwright.frontend.c_tree import IntLiteral
from loopwright.frontend.c_types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
)

Dims = tuple[int | None, ...]


class Pointer(NamedTuple):
    """An element of an object, and the dimensions of the array that is meant, if it is one."""

    thing: Thing
    offset: int
    dims: Dims


Value = int | float | Pointer
First = Callable[[int, Kind | None], Value]
"""What an object holds at an offset before anybody writes it; the kind is none for a pointer."""


ENDLESS = 2**62
"""The size of what has no end that anybody knows."""


class Thing:
    """An object: a variable, or what a pointer from outside points to.

    The ``limit`` is how many bytes there are, ``ENDLESS`` where nobody knows; there may be more
    unless it ``is_certain``.  ``unit`` is the size of what the dimensions hold.
    """

    __slots__ = (
        *("cells", "dims", "element", "first", "is_certain", "kind", "limit", "name", "unit"),
    )

    def __init__(
        self,
        name: str,
        element: CType,
        dims: Dims = (),
        first: First | None = None,
    ) -> None:
        self.name = name
        self.element = element
        self.dims = dims
        self.first = first
        self.unit = size_of(element)
        size = _bytes(dims, self.unit)
        self.limit: int = ENDLESS if size is None else size
        self.is_certain = True
        self.kind = _plain_kind(element)
        self.cells: dict[int, Value] = {}

    def require(self, offset: int, kind: Kind | None, done: str) -> None:
        """That there is an element of this kind."""
        if self.limit is not ENDLESS and not 0 <= offset < self.limit:
            if not self.is_certain:
                raise CannotEvaluate(f"{self.name} may be too small")
            what = f"{done} out of bounds"
            raise Undefined(what, outside=Outside(self, offset, what))
        if offset < 0:
            raise CannotEvaluate(f"{self.name} is accessed in front of its beginning")
        if self.kind is not kind or kind is None:
            self._require_inside(offset, kind)

    def _require_inside(self, offset: int, kind: Kind | None) -> None:
        leaf = _leaf(self.element, offset % self.unit)
        is_right = isinstance(leaf, PointerType) if kind is None else _plain_kind(leaf) is kind
        if not is_right:
            raise CannotEvaluate(f"{self.name} is accessed as another type")

    def held(self, offset: int) -> Value:
        """What is at an offset where a number or a pointer begins."""
        found = self.cells.get(offset)
        if found is not None:
            return found
        return self.missing(offset, self.kind_at(offset))

    def kind_at(self, offset: int) -> Kind | None:
        """The kind of number that begins at an offset; none of a pointer."""
        return _plain_kind(_leaf(self.element, offset % self.unit))

    def missing(self, offset: int, kind: Kind | None) -> Value:
        """What an element holds that was never written."""
        if self.first is not None:
            value = self.first(offset, kind)
            self.cells[offset] = value
            return value
        if self.dims or isinstance(self.element, RecordType):
            raise CannotEvaluate(f"a part of {self.name} is read that was never written")
        raise Undefined(f"{self.name} is read before it has a value")


def _bytes(dims: Dims, unit: int) -> int | None:
    return None if None in dims else prod(each or 0 for each in dims) * unit


def stride(dims: Dims, unit: int) -> int:
    """How far apart two neighbours are that have these dimensions themselves."""
    size = _bytes(dims, unit)
    if size is None:
        raise CannotEvaluate("an array of unknown size")
    return size


def _plain_kind(type_: CType) -> Kind | None:
    return kind_of(type_) if isinstance(type_, IntType | FloatType) and _is_known(type_) else None


def _is_known(type_: IntType | FloatType) -> bool:
    try:
        kind_of(type_)
    except CannotEvaluate:
        return False
    return True


def base_of(type_: CType) -> CType:
    """What the dimensions of a type hold."""
    while isinstance(type_, ArrayType):
        type_ = type_.element
    return type_


def size_of(type_: CType) -> int:
    """The size of a type, in bytes, where it is a constant."""
    match type_:
        case ArrayType(element=element, extent=IntLiteral(value=count)):
            return count * size_of(element)
        case IntType() | FloatType() | PointerType() | RecordType():
            return type_.size
        case _:
            raise CannotEvaluate(f"a variable of the type {type_.name}")


def _leaf(type_: CType, offset: int) -> CType:
    """The number or pointer that begins at an offset of a type."""
    match type_:
        case ArrayType(element=element):
            return _leaf(element, offset % size_of(element))
        case RecordType(is_union=False, fields=fields):
            for each in fields:
                if not each.shares_memory and 0 <= offset - each.offset < size_of(each.type):
                    return _leaf(each.type, offset - each.offset)
            raise CannotEvaluate(f"a member of {type_.name}")
        case RecordType():
            raise CannotEvaluate(f"the union {type_.name}")
        case _ if offset:
            raise CannotEvaluate("a part of a number")
        case _:
            return type_


def is_like(first: CType, second: CType) -> bool:
    """May an object that holds one type be accessed as the other?"""
    match first, second:
        case RecordType(), RecordType():
            return first.name == second.name
        case PointerType(), PointerType():
            return True
        case _:
            kind = _plain_kind(first)
            return kind is not None and kind is _plain_kind(second)
