"""A plan for each nest, from its references, its dependences and the machine.

The innermost loop is a vector loop if some member carries nothing there and steps from one element
to the next in all references.  Around it, members that leave references in place are unrolled, so
that a value in a register serves several iterations; see :mod:`loopwright.targets.registers`.  A
nest that uses its data again is tiled; see :mod:`loopwright.targets.tile_sizes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm

from loopwright.targets.inner_loops import Groups, vector_groups
from loopwright.targets.machine import Machine
from loopwright.targets.nests import Nest, Reference
from loopwright.targets.plans import Plan
from loopwright.targets.registers import MOST_COPIES, unrolling
from loopwright.targets.tile_sizes import row_length, tile_sizes

MOST_COPIES_IN_GROUPS = 6
"""With several innermost loops side by side, more copies make a long text and a long proof."""


def plan_for(
    nest: Nest, machine: Machine, *, is_parallel_wanted: bool, most_copies: int = MOST_COPIES
) -> Plan:
    """What becomes of a nest."""
    inner, groups, is_vector = inner_loop(nest)
    others = [at for at in nest.members if at != inner]
    if len(groups) > 1:
        most_copies = min(most_copies, MOST_COPIES_IN_GROUPS)
    unrolled = unrolling(nest, inner, machine, most_copies, is_vector=is_vector)
    sizes = tile_sizes(nest, inner, unrolled, machine)
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
    """The member whose iterations are spread over threads; rather not the innermost one."""
    found = [at for at in nest.members if nest.is_coincident(at)]
    if not nest.is_permutable:
        found = [at for at in found if at == 0]
    return min(found, key=lambda at: (at == inner, at), default=None)


def inner_loop(nest: Nest) -> tuple[int, Groups, bool]:
    """The innermost member, its groups of statements, and whether it is a vector loop."""
    last = len(nest.members) - 1
    possible = list(nest.members) if nest.is_permutable else [last]
    best: tuple[int, int, Groups] | None = None
    for at in possible:
        if not all(_is_smooth(each, at) for each in nest.references):
            continue
        groups = vector_groups(nest, at)
        score = sum(each.is_contiguous(at) for each in nest.references)
        if groups is not None and score and (best is None or score >= best[0]):
            best = score, at, groups
    if best is not None:
        return best[1], best[2], True
    score_of = {at: sum(each.is_contiguous(at) for each in nest.references) for at in possible}
    inner = max(possible, key=lambda at: (score_of[at], at))
    return inner, (nest.statements,), False


def _is_smooth(reference: Reference, member: int) -> bool:
    return reference.is_invariant(member) or reference.is_contiguous(member)
