"""Tile sizes that the user wants, in the place of those of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd

from loopwright.targets.plans import Plan


def with_tile_sizes(plan: Plan, sizes: Sequence[int]) -> Plan:
    """The plan with other sizes for its tiles, outermost first; a loop with size 1 is not tiled.

    A block of unrolled iterations ends where a tile does.

    >>> plan = Plan((0, 1), ((0, 64), (1, 256)), {0: 8}, is_parallel=True)
    >>> with_tile_sizes(plan, [12, 1]).tiles, with_tile_sizes(plan, [12, 1]).unrolled
    (((0, 12),), {0: 4})
    """
    given = {at: size for (at, _), size in zip(plan.tiles, sizes, strict=False)}
    if not given:
        return plan
    tiles = tuple((at, given.get(at, size)) for at, size in plan.tiles)
    tiles = tuple((at, size) for at, size in tiles if size > 1)
    factors = {
        at: gcd(factor, given[at]) if given.get(at, 1) > 1 else factor
        for at, factor in plan.unrolled.items()
    }
    first = [*(at for at, _ in tiles), *plan.order][0]
    return replace(
        plan,
        tiles=tiles,
        unrolled={at: factor for at, factor in factors.items() if factor > 1},
        packed=plan.packed if len(tiles) == len(plan.tiles) else (),
        is_parallel=plan.is_parallel and first == plan.parallel,
        is_wavefront=plan.is_wavefront
        and tiles[:2] == tuple((at, given.get(at, size)) for at, size in plan.tiles[:2]),
    )
