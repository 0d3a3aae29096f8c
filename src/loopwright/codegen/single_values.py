"""Levels with a single value (§5.3): the expression that it is equal to."""

from __future__ import annotations

import islpy as isl

from loopwright.codegen.strides import Stride
from loopwright.polyhedra.levels import SET, bounds_at, level_aff, widened_aff


def single_value(bounds: isl.BasicSet, stride: Stride | None, values: isl.Set) -> isl.Aff | None:
    """The only value of the last dimension in terms of the others, as one expression.

    A lower bound ℓ, moved up to the stride, is that value if nothing in ``values`` reaches the next
    step beyond it; an upper bound likewise.

    >>> bounds = isl.BasicSet("[n] -> { [i] : n - 1 <= i <= n }")
    >>> values = isl.Set("[n] -> { [i] : n - 1 <= i <= n and (i - 2) mod 4 = 0 }")
    >>> two = isl.Aff("[n] -> { [] -> [(2)] }")
    >>> print(single_value(bounds, Stride(4, two), values))
    [n] -> { [] -> [(-2 + 4*floor((4 + n)/4))] }
    """
    level = values.dim(SET) - 1
    space = values.get_space()
    step = isl.Val(1 if stride is None else stride.step)
    here = level_aff(space, level)
    lower, upper = bounds_at(bounds, level)
    for bound in lower:
        value = bound if stride is None else stride.at_least(bound)
        beyond = widened_aff(value, space).add_constant_val(step)
        if values.intersect(isl.Set.from_basic_set(here.ge_basic_set(beyond))).is_empty():
            return value
    if len(lower) == 1:
        return None
    for bound in upper:
        value = bound if stride is None else stride.at_most(bound)
        before = widened_aff(value, space).add_constant_val(step.neg())
        if values.intersect(isl.Set.from_basic_set(here.le_basic_set(before))).is_empty():
            return value
    return None


def may_be_piecewise(bounds: isl.BasicSet) -> bool:
    """May there be one value although no bound is it everywhere?  That takes two on each side."""
    lower, upper = bounds_at(bounds, bounds.dim(SET) - 1)
    return len(lower) != 1 and len(upper) != 1
