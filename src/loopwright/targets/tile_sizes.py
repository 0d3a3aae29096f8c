"""Tile sizes from the caches.

In a product of matrices, where each loop leaves some array in place, a row is the tile of the
innermost loop: what one iteration of the block around it writes, over the whole row, fills half of
the first cache.  The tiles of the other members are such that the part of an array that is used
again fills half of the second cache, or a quarter of it where tiles are packed into buffers.

Where the loops sweep over the same arrays again and again, as a stencil does in time, the first two
members are tiled, and the others run over whole slices of the arrays: 3 b slices of each array fit
into the second cache, for tiles of b times b whose slices move by up to 2 b.  The size of a slice
is that of an array of :data:`ELEMENTS` elements with equal extents.  One-dimensional arrays are
taken to stay in a cache anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopwright.polyhedra.integer_matrices import rank
from loopwright.targets.machine import Machine
from loopwright.targets.nests import Nest, elements
from loopwright.targets.packing import MOST_BYTES
from loopwright.targets.registers import distinct

LEAST_ROW = 64
MOST_ROW = 1024
LEAST_SWEEP = 4
ELEMENTS = 1e6


def row_length(nest: Nest, inner: int, unrolled: Mapping[int, int], machine: Machine) -> int:
    """Iterations of the innermost loop whose elements stay in the first cache."""
    kept = [each for each in elements(nest) if not each.is_invariant(inner)]
    written = [each for each in kept if each.writes] or kept
    touched = sum(distinct(each, unrolled) * each.size for each in written)
    return max(LEAST_ROW, min(MOST_ROW, _power_up_to(machine.l1 // 2 // max(1, touched))))


def tile_sizes(
    nest: Nest,
    inner: int,
    unrolled: Mapping[int, int],
    machine: Machine,
    packed: Sequence[Sequence[int]] = (),
) -> dict[int, int]:
    """Sizes for a nest whose elements are used again.

    ``packed`` has the members of each buffer.
    """
    if not nest.is_permutable or not has_reuse(nest):
        return {}
    if is_product(nest):
        return _product_sizes(nest, inner, unrolled, machine, packed)
    return _sweep_sizes(nest, machine)


def is_product(nest: Nest) -> bool:
    """Does each loop leave some element in place?"""
    return all(any(each.is_reused(at) for each in nest.references) for at in nest.members)


def _product_sizes(
    nest: Nest,
    inner: int,
    unrolled: Mapping[int, int],
    machine: Machine,
    packed: Sequence[Sequence[int]],
) -> dict[int, int]:
    row = row_length(nest, inner, unrolled, machine)
    size = max(each.size for each in nest.references)
    height = min(256, _power_up_to(machine.l2 // 2 // (row * size)))
    sizes = {at: _multiple(height, unrolled.get(at, 1)) for at in nest.members if at != inner}
    for at in {each for members in packed for each in members if each != inner}:
        # All buffers together take a quarter of the second cache.
        room = min(machine.l2 // 4, MOST_BYTES)
        low = _power_up_to(room // (row * size * len(packed)))
        sizes[at] = _multiple(min(height, low), unrolled.get(at, 1))
    return {**sizes, inner: row}


def _sweep_sizes(nest: Nest, machine: Machine) -> dict[int, int]:
    ranks = {each.array: each.rank for each in nest.references if each.rank}
    if max(ranks.values(), default=0) < 2:
        return {}
    slices = sum(ELEMENTS ** (1 - 1 / rank) * _size(nest, array) for array, rank in ranks.items())
    size = max(LEAST_SWEEP, _power_up_to(int(machine.l2 / (3 * slices))))
    return dict.fromkeys(list(nest.members)[:2], size)


def _size(nest: Nest, array: str) -> int:
    return max(each.size for each in nest.references if each.array == array)


def has_reuse(nest: Nest) -> bool:
    """Is every element touched in more than one iteration of the nest?"""
    known = [each.steps for each in nest.references if each.steps is not None]
    return len(nest.members) > 1 and all(rank(each) < len(nest.members) for each in known)


def _multiple(size: int, factor: int) -> int:
    return max(factor, size // factor * factor)


def _power_up_to(value: int) -> int:
    return 1 << max(0, value.bit_length() - 1)
