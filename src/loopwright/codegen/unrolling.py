"""Unrolling (§5.5): the values of a level one by one, counted from the best lower bound."""

from __future__ import annotations

import islpy as isl

from loopwright.codegen.strides import Stride
from loopwright.codegen.tasks import Task
from loopwright.polyhedra.extremes import greatest_of, least_value
from loopwright.polyhedra.levels import (
    SET,
    bounds_at,
    has_divisions,
    level_aff,
    plain_space,
    projected,
    rescaling,
    shared_constraints,
    widened_aff,
)
from loopwright.polyhedra.values import isl_value


def unrolled_values(
    domain: isl.Set, stride: Stride | None, known: isl.Set, task: Task, most: int
) -> list[isl.Aff]:
    """Values that cover a level one by one, in order, as expressions over the outer iterators.

    For each lower bound ℓ, and for the least value of all if there is one, the largest i - ℓ + 1
    over the domain tells how many slices i = ℓ + t cover it.  The bound with the fewest is taken,
    of several one without divisions.  With a stride, steps are counted.
    """
    level = domain.dim(SET) - 1
    space = domain.get_space()
    steps = domain.intersect(known.add_dims(SET, 1))
    if stride is not None:
        change = rescaling(space, level, stride.offset, stride.step)
        steps = steps.preimage_multi_aff(change)
    if steps.is_empty():
        return []
    best = _best_lower_bound(steps, level)
    if best is None:
        raise task.refuse(
            "LW502",
            "a loop cannot be unrolled because the number of its iterations has no bound",
            "bound it in the context, or unroll after strip-mining",
        )
    bound, count = best
    if count > most:
        raise task.refuse(
            "LW504",
            f"unrolling makes {count} copies, more than the {most} nodes allowed,",
            "unroll less, or raise max_nodes",
        )
    first = bound if stride is None else bound.scale_val(isl_value(stride.step)).add(stride.offset)
    step = 1 if stride is None else stride.step
    return [first.add_constant_val(isl_value(index * step)) for index in range(count)]


def _best_lower_bound(steps: isl.Set, level: int) -> tuple[isl.Aff, int] | None:
    space = steps.get_space()
    hull = projected(isl.Set.from_basic_set(steps.simple_hull()), level)
    lower, _ = bounds_at(shared_constraints(hull), level)
    least = least_value(steps, level)
    if least.is_int():
        outer = isl.LocalSpace.from_space(plain_space(space, level))
        lower.insert(0, isl.Aff.val_on_domain(outer, least))
    counted: list[tuple[int, bool, isl.Aff]] = []
    for bound in lower:
        largest = greatest_of(steps, level_aff(space, level).sub(widened_aff(bound, space)))
        if largest.is_int():
            counted.append((largest.to_python() + 1, has_divisions(bound), bound))
    if not counted:
        return None
    count, _, best = min(counted, key=lambda each: each[:2])
    return best, count
