"""Strides (§5.3): the values of a level that are equal to an offset modulo a step."""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.levels import (
    SET,
    bounds_at,
    has_divisions,
    level_aff,
    narrowed_aff,
    widened_aff,
)
from loopwright.polyhedra.values import isl_value


@record(eq=False)
class Stride:
    """The values ``offset + step · k`` of a level; the offset is over the outer iterators."""

    step: int
    offset: isl.Aff

    def condition(self, space: isl.Space, level: int) -> isl.Set:
        """The values as a set over the iterators up to the level."""
        difference = level_aff(space, level).sub(widened_aff(self.offset, space))
        return isl.Set.from_basic_set(difference.mod_val(isl_value(self.step)).zero_basic_set())

    def at_least(self, bound: isl.Aff) -> isl.Aff:
        """The smallest value that is not below a bound: o + s · ⌈(ℓ - o) / s⌉."""
        return self._adjusted(bound, isl.Aff.ceil)

    def at_most(self, bound: isl.Aff) -> isl.Aff:
        """The largest value that is not above a bound."""
        return self._adjusted(bound, isl.Aff.floor)

    def tightened(self, bounds: isl.BasicSet, level: int) -> isl.BasicSet:
        """The bounds on a level moved to values of the stride, where that needs no division.

        >>> zero = isl.Aff("[n] -> { [] -> [(0)] }")
        >>> print(Stride(4, zero).tightened(isl.BasicSet("[n] -> { [i] : -3 <= i < n }"), 0))
        [n] -> { [i] : 0 <= i < n }
        """
        space = bounds.get_space()
        here = level_aff(space, level)
        lower, upper = bounds_at(bounds, level)
        for bound in lower:
            moved = self.at_least(bound)
            if not has_divisions(moved):
                bounds = bounds.intersect(here.ge_basic_set(widened_aff(moved, space)))
        for bound in upper:
            moved = self.at_most(bound)
            if not has_divisions(moved):
                bounds = bounds.intersect(here.le_basic_set(widened_aff(moved, space)))
        return bounds

    def _adjusted(self, bound: isl.Aff, rounded: Callable[[isl.Aff], isl.Aff]) -> isl.Aff:
        step = isl_value(self.step)
        steps = rounded(bound.sub(self.offset).scale_down_val(step))
        return steps.scale_val(step).add(self.offset)


def stride_of(domain: isl.Set, level: int) -> Stride | None:
    """The stride of the values of a level, over all instances that run there.

    Read off the integer affine hull: an equality h(p) + u(v·i + s·f(α)) = 0 says that i is equal to
    -a·h(p)/u modulo s where a·v + b·s = 1, and two strides combine into their least common
    multiple (15)–(17).  isl has this as ``get_stride_info``.

    >>> both = isl.Set("[n, m] -> { [i] : 0 <= i <= 100 and (n - i) mod 6 = 0"
    ...                " and (m - i) mod 10 = 0 }")
    >>> print(stride_of(both, 0).step)
    30
    """
    if not may_have_equality(domain, level):
        return None
    inner = domain.dim(SET) - level - 1
    flat = domain.project_out(SET, level + 1, inner) if inner else domain
    found = flat.get_stride_info(level)
    step = found.get_stride().to_python()
    if step == 1:
        return None
    return Stride(step, narrowed_aff(found.get_offset(), level))


def may_have_equality(domain: isl.Set, level: int) -> bool:
    """Does each piece have an equality about the level?  Only that makes a stride or a value."""
    return all(
        any(
            constraint.is_equality() and constraint.involves_dims(SET, level, 1)
            for constraint in piece.get_constraints()
        )
        for piece in domain.get_basic_sets()
        if not piece.plain_is_empty()
    )
