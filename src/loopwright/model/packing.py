"""Local buffers that tiles of loops use in the place of an array."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record


@record(eq=False)
class TileBuffer:
    """A buffer that each tile has for itself.

    Its first subscripts are the ``members`` of a band, counted from where the tile begins.  In a
    schedule tree, a mark called ``name`` is around everything that uses the buffer; instances of a
    statement called ``name`` copy from or to it: they have the schedule dimensions around the mark
    as iterators, and then the subscripts of the buffer.
    """

    name: str
    array: str
    references: frozenset[tuple[str, str]]
    """Statements and tags that use the buffer instead."""
    shape: tuple[int, ...]
    members: tuple[isl.UnionPwAff, ...]
    origins: tuple[int, ...]
    """The schedule dimensions in which the tile begins, one a member."""


@record(eq=False)
class Packed(TileBuffer):
    """A tile of an array, copied to where it is read; the members are all of its subscripts."""

    element: isl.PwMultiAff
    """What an instance of the statement copies into it."""


@record(eq=False)
class Expanded(TileBuffer):
    """A copy of an array for each iteration of the members; the array's own subscripts follow."""

    element: isl.PwMultiAff | None
    """What an instance of the statement copies back; ``None`` if the array does not live on."""

    @property
    def tile(self) -> tuple[int, ...]:
        """How many iterations of the members have a copy."""
        return self.shape[: len(self.members)]
