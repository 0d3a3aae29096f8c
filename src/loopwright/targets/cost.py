"""What a mapped schedule costs: cycles, by a model that only tells good orders from bad ones.

A nest of depth d counts as if all of its loops had :data:`SIZE` iterations.  An iteration costs the
cycles of :mod:`loopwright.targets.registers`, on as many lanes as a vector has; a reference that
neither stays nor goes to the next element costs :data:`STRIDED` more, or :data:`CACHED` if tiles
keep what it touches at hand.  Parallel loops share that among the cores.

What is read and written of arrays with two dimensions or more comes from memory, in
:data:`BANDWIDTH` bytes a cycle for all cores together, or only once for all iterations of a tile.
An iteration takes as long as the slower of the two.
"""

from __future__ import annotations

from loopwright.targets.machine import Machine
from loopwright.targets.nests import Nest
from loopwright.targets.plans import Plan
from loopwright.targets.registers import cost_of
from loopwright.targets.tile_sizes import has_reuse

SIZE = 1000.0
STRIDED = 4.0
CACHED = 1.0
BANDWIDTH = 6.0
WAVEFRONT = 0.7
"""The part of the cores that is busy along a wavefront."""


def nest_cost(nest: Nest, plan: Plan, machine: Machine, *, is_inside_parallel: bool) -> float:
    """The cycles of a nest."""
    cycles = _compute(nest, plan, machine)
    if plan.is_wavefront:
        cycles /= max(1.0, WAVEFRONT * machine.cores)
    elif plan.is_parallel or is_inside_parallel:
        cycles /= machine.cores
    return max(cycles, _memory(nest, plan)) * SIZE**nest.depth


def _compute(nest: Nest, plan: Plan, machine: Machine) -> float:
    inner = plan.inner
    cycles, _, _ = cost_of(nest, plan.unrolled, inner, is_vector=plan.is_vector)
    if plan.is_vector:
        size = max((each.size for each in nest.references), default=8)
        return cycles / max(1, machine.vector_bytes // max(1, size))
    strided = sum(
        not each.is_invariant(inner) and not each.is_contiguous(inner) for each in nest.references
    )
    return cycles + strided * (CACHED if plan.tiles else STRIDED)


def _memory(nest: Nest, plan: Plan) -> float:
    """The cycles that memory takes for an iteration."""
    total: dict[str, int] = {}
    for each in nest.references:
        if each.rank > 1 and not each.is_invariant(plan.inner):
            moved = each.size * (1 + each.writes)
            total[each.array] = max(total.get(each.array, 0), moved)
    again = min((size for _, size in plan.tiles), default=1) if has_reuse(nest) else 1
    return sum(total.values()) / BANDWIDTH / again
