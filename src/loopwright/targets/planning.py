"""A plan for each nest, from its references, its dependences and the machine.

The innermost loop is a vector loop if some member carries nothing there and steps from one element
to the next in all references.  Around it, members that leave references in place are unrolled, so
that a value in a register serves several iterations; see :mod:`loopwright.targets.registers`.  A
nest that uses its data again is tiled; see :mod:`loopwright.targets.tile_sizes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import lcm

from loopwright.model.dependences import Reduction
from loopwright.targets.inner_loops import Groups, vector_groups
from loopwright.targets.machine import Machine
from loopwright.targets.nests import Nest, Reference
from loopwright.targets.packing import is_packable, moved_by, strided, thrashing
from loopwright.targets.plans import Plan
from loopwright.targets.registers import MOST_COPIES, unrolling
from loopwright.targets.tile_sizes import is_product, row_length, tile_sizes

MOST_COPIES_IN_GROUPS = 6
"""With several innermost loops side by side, more copies make a long text and a long proof."""


def plan_for(
    nest: Nest,
    machine: Machine,
    *,
    is_parallel_wanted: bool,
    most_copies: int = MOST_COPIES,
    may_pack: bool = True,
    short: Mapping[int, int] | None = None,
) -> Plan:
    """What becomes of a nest.

    ``short`` members are parts of tiles that are there already, of so many iterations.
    """
    inner, groups, is_vector = inner_loop(nest, may_pack=may_pack)
    packed = _packed(nest, inner) if is_vector and may_pack else []
    reductions = () if is_vector else _reductions(nest, inner)
    is_vector = is_vector or bool(reductions)
    others = [at for at in nest.members if at != inner]
    if len(groups) > 1:
        most_copies = min(most_copies, MOST_COPIES_IN_GROUPS)
    unrolled = unrolling(nest, inner, machine, most_copies, is_vector=is_vector, short=short)
    sizes = tile_sizes(nest, inner, unrolled, machine, [moved_by(each, inner) for each in packed])
    sizes = {at: size for at, size in sizes.items() if at not in (short or {})}
    parallel = _parallel(nest, inner) if is_parallel_wanted else None
    if parallel == inner and others:
        sizes.setdefault(inner, row_length(nest, inner, unrolled, machine))
    is_wavefront = is_parallel_wanted and parallel is None and len(sizes) > 1
    if is_wavefront:
        _equalise(sizes, unrolled)
    outer = sorted(others, key=lambda at: (at in unrolled, at != parallel, at))
    tiles = sorted(sizes, key=lambda at: (at != parallel, at))
    return Plan(
        (*outer, inner),
        tuple((at, sizes[at]) for at in tiles),
        unrolled,
        groups,
        is_vector,
        reductions,
        tuple(each.tag for each in packed),
        is_parallel=parallel is not None and [*tiles, *outer, inner][0] == parallel,
        is_wavefront=is_wavefront,
    )


def _equalise(sizes: dict[int, int], unrolled: Mapping[int, int]) -> None:
    """Give the first two tiles the same size: then one is a sum of the wave and the other."""
    first, second = sorted(sizes)[:2]
    step = lcm(unrolled.get(first, 1), unrolled.get(second, 1))
    size = max(step, min(sizes[first], sizes[second]) // step * step)
    sizes[first] = sizes[second] = size


def _parallel(nest: Nest, inner: int) -> int | None:
    """The member whose iterations are spread over threads; rather not the innermost one.

    One that has to gather what the threads have computed is the last choice.
    """
    possible = list(nest.members) if nest.is_permutable else [0]
    found = [at for at in possible if nest.is_coincident(at)]
    found = found or [at for at in possible if nest.privates(at) is not None]
    found = found or [at for at in possible if nest.reductions(at)]
    return min(found, key=lambda at: (at == inner, at), default=None)


def _reductions(nest: Nest, inner: int) -> tuple[Reduction, ...]:
    """What a vector loop would reduce, where it can be one for that."""
    return () if nest.has_calls or strided(nest, inner) else nest.reductions_inside(inner)


def inner_loop(nest: Nest, *, may_pack: bool = False) -> tuple[int, Groups, bool]:
    """The innermost member, its groups of statements, and whether it is a vector loop.

    A vector loop needs elements side by side; where others may be packed that way, it can be had
    for that, too.
    """
    last = len(nest.members) - 1
    possible = list(nest.members) if nest.is_permutable else [last]
    candidates = [] if nest.has_calls else possible
    best: tuple[tuple[int, int], int, Groups] | None = None
    for at in candidates:
        rough = strided(nest, at)
        if rough and not (may_pack and _are_packable(nest, rough)):
            continue
        groups = vector_groups(nest, at)
        contiguous = sum(each.is_contiguous(at) for each in nest.references)
        score = -len(rough), contiguous
        if groups is not None and contiguous and (best is None or score >= best[0]):
            best = score, at, groups
    if best is not None:
        return best[1], best[2], True
    score_of = {at: sum(each.is_contiguous(at) for each in nest.references) for at in possible}
    inner = max(possible, key=lambda at: (score_of[at], at))
    return inner, (nest.statements,), False


def _packed(nest: Nest, inner: int) -> list[Reference]:
    """What is packed: what the vector loop needs side by side, and what rows would drive out."""
    thrashed = thrashing(nest, inner)
    return strided(nest, inner) + (thrashed if _are_packable(nest, thrashed) else [])


def _are_packable(nest: Nest, references: Sequence[Reference]) -> bool:
    """Are there tiles of all members, which one loop after the other runs, to pack them in?"""
    return (
        nest.is_permutable
        and is_product(nest)
        and any(map(nest.is_coincident, nest.members))
        and all(is_packable(nest, each) for each in references)
    )
