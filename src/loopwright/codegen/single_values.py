"""Levels with a single value (§5.3): the expression that it is equal to."""

from __future__ import annotations

import islpy as isl

from loopwright.codegen.strides import Stride, may_have_equality
from loopwright.polyhedra.levels import (
    SET,
    bounds_at,
    depends_on,
    level_aff,
    narrowed_aff,
    widened_aff,
)
from loopwright.polyhedra.values import isl_value


def single_value(bounds: isl.BasicSet, stride: Stride | None, values: isl.Set) -> isl.Aff | None:
    """The only value of the last dimension in terms of the others, as one expression.

    A lower bound ℓ, moved up to the stride, is that value if nothing in ``values`` reaches the next
    step beyond it; an upper bound likewise.

    >>> bounds = isl.BasicSet("[n] -> { [i] : n - 1 <= i <= n }")
    >>> values = isl.Set("[n] -> { [i] : n - 1 <= i <= n and (i - 2) mod 4 = 0 }")
    >>> two = isl.Aff("[n] -> { [] -> [(2)] }")
    >>> print(single_value(bounds, Stride(4, two), values))
    [n] -> { [] -> [(2 + n - (n) mod 4)] }
    """
    level = values.dim(SET) - 1
    space = values.get_space()
    step = isl_value(1 if stride is None else stride.step)
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


def implied_value(domain: isl.Set, values: isl.Set) -> isl.Aff | None:
    """The value that an equality gives to a level, if one does.

    ``domain`` is what runs, over all levels to come, and ``values`` what is known about this one.
    The equality may hold for what runs at this level although the bounds do not say so.
    """
    level = values.dim(SET) - 1
    if not may_have_equality(domain, level):
        return None
    flat = domain.project_out(SET, level + 1, domain.dim(SET) - level - 1)
    for constraint in flat.intersect(values).affine_hull().get_constraints():
        # An affine hull has inequalities too: they say what its integer divisions are.
        if not constraint.is_equality():
            continue
        if abs(constraint.get_coefficient_val(SET, level).to_python()) != 1:
            continue
        value = constraint.get_bound(SET, level)
        if not depends_on(value, level):
            return narrowed_aff(value, level)
    return None


def may_be_piecewise(bounds: isl.BasicSet) -> bool:
    """May there be one value although no bound is it everywhere?  That takes two on each side."""
    lower, upper = bounds_at(bounds, bounds.dim(SET) - 1)
    return len(lower) != 1 and len(upper) != 1
