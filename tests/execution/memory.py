"""Addresses and elements: where the model thinks that the elements of its arrays lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from loopwright.model.scop import Array, Scop

from .enumeration import value_of

Element: TypeAlias = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Layout:
    """The strides of an array for given parameter values; an extent may be unknown."""

    array: Array
    offset: int
    strides: tuple[int, ...]
    extents: tuple[int | None, ...]

    @property
    def is_bounded(self) -> bool:
        """Are all extents known?"""
        return None not in self.extents

    def subscripts_at(self, distance: int) -> tuple[int, ...] | None:
        """The subscripts of the element that lies so many bytes behind the base."""
        remaining = distance - self.offset
        subscripts: list[int] = []
        for stride, extent in zip(self.strides, self.extents, strict=True):
            if stride == 0:
                return None
            subscript, remaining = divmod(remaining, stride)
            if extent is not None and not 0 <= subscript < extent:
                return None
            subscripts.append(subscript)
        return tuple(subscripts) if remaining == 0 else None


def layout_of(array: Array, values: Mapping[str, int]) -> Layout:
    """Strides within a part are the element's size times the inner extents of that part."""
    extents = [None if each is None else value_of(each, values) for each in array.extents]
    strides: list[int] = []
    first = 0
    for part in array.parts:
        inner = extents[first : first + part.rank]
        stride = part.element_size
        of_part: list[int] = []
        for extent in reversed(inner):
            of_part.append(stride)
            stride *= extent if extent is not None else 0
        strides += reversed(of_part)
        first += part.rank
    offset = sum(part.offset for part in array.parts)
    return Layout(array, offset, tuple(strides), tuple(extents))


@dataclass(slots=True)
class Memory:
    """Which element lies at an address, as the run goes on."""

    layouts: dict[str, Layout]
    bases: dict[str, int] = field(default_factory=dict)
    private: list[range] = field(default_factory=list)
    _known: dict[tuple[int, frozenset[str] | None], Element | None] = field(default_factory=dict)

    @classmethod
    def of(cls, scop: Scop, values: Mapping[str, int]) -> Memory:
        """Nothing is in its place yet."""
        return cls({each.name: layout_of(each, values) for each in scop.arrays})

    def place(self, array: str, base: int) -> None:
        """A variable lives here from now on."""
        if self.bases.get(array) != base:
            self.bases[array] = base
            self._known.clear()

    def is_private(self, address: int) -> bool:
        """Does a variable lie there that no model can know, such as a local of a callee?"""
        return any(address in each for each in self.private)

    def element_at(self, address: int, among: frozenset[str] | None = None) -> Element | None:
        """The element at an address; bounded arrays are asked first, then the nearest pointer."""
        key = (address, among)
        if key not in self._known:
            self._known[key] = self._search(address, among)
        return self._known[key]

    def _search(self, address: int, among: frozenset[str] | None) -> Element | None:
        def preference(name: str) -> tuple[bool, bool, int]:
            distance = address - self.bases[name]
            return (not self.layouts[name].is_bounded, distance < 0, abs(distance))

        names = [name for name in self.bases if among is None or name in among]
        for name in sorted(names, key=preference):
            subscripts = self.layouts[name].subscripts_at(address - self.bases[name])
            if subscripts is not None:
                return name, subscripts
        return None


def element_text(scop: Scop, element: Element) -> str:
    """An element as C writes it."""
    name, subscripts = element
    for array in scop.arrays:
        if array.name == name:
            return array.reference_text(map(str, subscripts))
    return f"{name}{list(subscripts)}"
