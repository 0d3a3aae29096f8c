"""Tiles of an array that are copied into a buffer of their own, one after the other."""

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
