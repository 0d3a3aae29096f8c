"""Levels with a single value (§5.3): the expression that it is equal to."""

from __future__ import annotations

import islpy as isl

from loopwright.codegen.strides import Stride
from loopwright.polyhedra.levels import SET, bounds_at, level_aff, narrowed_aff, widened_aff


def single_value(bounds: isl.BasicSet, stride: Stride | None, values: isl.Set) -> isl.Aff | None:
    """The only value of the last dimension in terms of the others, as one expression.

    A lower bound ℓ, moved up to the stride, is that value if nothing in ``values`` reaches the next
    step beyond it; an upper bound likewise.  Or else an equality that the bounds only imply,
    together with what is known outside.

    >>> bounds = isl.BasicSet("[n] -> { [i] : n - 1 <= i <= n }")
    >>> values = isl.Set("[n] -> { [i] : n - 1 <= i <= n and (i - 2) mod 4 = 0 }")
    >>> two = isl.Aff("[n] -> { [] -> [(2)] }")
    >>> print(single_value(bounds, Stride(4, two), values))
    [n] -> { [] -> [(2 + n - (n) mod 4)] }
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
    implied = _implied_value(values, level)
    if implied is not None or len(lower) == 1:
        return implied
    for bound in upper:
        value = bound if stride is None else stride.at_most(bound)
        before = widened_aff(value, space).add_constant_val(step.neg())
        if values.intersect(isl.Set.from_basic_set(here.le_basic_set(before))).is_empty():
            return value
    return None


def _implied_value(values: isl.Set, level: int) -> isl.Aff | None:
    """The value that an equality of the affine hull gives to the level, if one does."""
    for constraint in values.affine_hull().get_constraints():
        if abs(constraint.get_coefficient_val(SET, level).to_python()) != 1:
            continue
        value = constraint.get_bound(SET, level)
        if not value.involves_dims(isl.dim_type.in_, level, 1):
            return narrowed_aff(value, level)
    return None


def may_be_piecewise(bounds: isl.BasicSet) -> bool:
    """May there be one value although no bound is it everywhere?  That takes two on each side."""
    lower, upper = bounds_at(bounds, bounds.dim(SET) - 1)
    return len(lower) != 1 and len(upper) != 1
