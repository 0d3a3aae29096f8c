"""Local buffers that tiles of loops use in the place of an array."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A buffer, and how it is filled and used.

    Its subscripts are the ``members`` of a band, counted from where the tile begins.  In a schedule
    tree, a mark called ``name`` is around everything that uses the buffer, and instances of a
    statement called ``name`` fill it: they have the schedule dimensions around the mark as
    iterators, and then the members.
    """

    name: str
    array: str
    references: frozenset[tuple[str, str]]
    """Statements and tags that read from the buffer instead."""
    shape: tuple[int, ...]
    members: tuple[isl.UnionPwAff, ...]
    origins: tuple[int, ...]
    """The schedule dimensions in which the tile begins, one a subscript."""
    element: isl.PwMultiAff
    """What an instance of the statement copies."""


@dataclass(frozen=True, slots=True, eq=False)
class Expanded:
    """A buffer with a copy of an array for each iteration of some loops of a tile.

    Its first subscripts are the ``members``, counted from where the tile begins, and the others
    those of the array.  In a schedule tree, a mark called ``name`` is around everything that uses
    the buffer; instances of a statement called ``name`` copy last values back: they have the
    schedule dimensions around the mark as iterators, then the members and then the subscripts.
    """

    name: str
    array: str
    references: frozenset[tuple[str, str]]
    """Statements and tags that use the buffer instead."""
    shape: tuple[int, ...]
    members: tuple[isl.UnionPwAff, ...]
    origins: tuple[int, ...]
    """The schedule dimensions in which the tile begins, one a member."""
    element: isl.PwMultiAff | None
    """What an instance of the statement copies back; ``None`` if the array does not live on."""

    @property
    def tile(self) -> tuple[int, ...]:
        """How many iterations of the members have a copy."""
        return self.shape[: len(self.members)]
