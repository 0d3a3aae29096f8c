"""Isolation (§5.6): a part of the schedule space gets code of its own."""

from __future__ import annotations

import islpy as isl

from loopwright.polyhedra.instances import same_prefix
from loopwright.polyhedra.levels import (
    SET,
    approximated,
    projected,
    shared_constraints,
    universe,
    widened,
)
from loopwright.polyhedra.simplification import simplified_in


def parts_around(
    domain: isl.Set, isolated: isl.Set, known: isl.Set, *, is_last: bool, merge: bool
) -> list[tuple[isl.Set, bool]]:
    """The values of a level in order, in parts; and is it the isolated one?

    ``domain`` holds the values of the level, ``isolated`` is over all levels of the band.
    """
    level = domain.dim(SET) - 1
    center = _contiguous(isolated, level, widened(known, 1))
    if center.is_empty() or center.intersect(domain).is_empty():
        return [(domain, False)]
    if merge:
        own = _about_outer_levels_only(isolated, level, known)
        parts = _before_center_after(domain, center, None if is_last else own)
    else:
        parts = _four_parts(domain, center)
    return [(part, inside) for part, inside in parts if not part.is_empty()]


def _contiguous(isolated: isl.Set, level: int, known: isl.Set) -> isl.Set:
    """The isolated values at a level as one convex set."""
    at_level = projected(isolated, level).coalesce()
    if at_level.is_empty():
        return at_level
    return simplified_in(isl.Set.from_basic_set(shared_constraints(at_level)), known)


def _about_outer_levels_only(isolated: isl.Set, level: int, known: isl.Set) -> isl.Set:
    """The constraints of the isolated part that involve none of the levels from this one on."""
    inner = isolated.dim(SET) - level
    shared = isl.Set.from_basic_set(shared_constraints(isolated))
    needed = simplified_in(shared, widened(known, inner))
    outer = needed.drop_constraints_involving_dims(SET, level, inner)
    return outer.project_out(SET, level, inner)


def _before_center_after(
    domain: isl.Set, center: isl.Set, own: isl.Set | None
) -> list[tuple[isl.Set, bool]]:
    """Below a lower bound of the center, in it, above an upper bound; and where it does not exist.

    The paper gives values that no isolated one precedes or follows a part of their own, because its
    first and last parts are empty where the center is.  Whether a value lies below the center is
    asked of the bounds here, which needs no value in the center: the four parts become three, and
    each value still runs once and in order.  A fourth part remains where the isolated set has
    conditions on outer levels only; those that come from the inner levels (``own`` has the others)
    are left to the inner levels.
    """
    level = domain.dim(SET) - 1
    lower, upper = _halves(shared_constraints(center), level)
    outer = (
        widened(own, 1)
        if own is not None
        else center.drop_constraints_involving_dims(SET, level, 1)
    )
    here = domain.intersect(outer)
    inside = here.intersect(lower).intersect(upper)
    return [
        (here.subtract(lower).coalesce(), False),
        (inside, True),
        (here.intersect(lower).subtract(upper).coalesce(), False),
        (domain.subtract(outer).coalesce(), False),
    ]


def _halves(bounds: isl.BasicSet, level: int) -> tuple[isl.Set, isl.Set]:
    """The lower and the upper bounds on the level."""
    lower = upper = isl.Set.universe(bounds.get_space())
    for constraint in bounds.get_constraints():
        if not constraint.involves_dims(SET, level, 1):
            continue
        aff = constraint.get_aff()
        if constraint.is_equality():
            positive = constraint.is_lower_bound(SET, level)
            lower = lower.intersect(_at_least(aff if positive else aff.neg()))
            upper = upper.intersect(_at_least(aff.neg() if positive else aff))
        elif constraint.is_lower_bound(SET, level):
            lower = lower.intersect(_at_least(aff))
        else:
            upper = upper.intersect(_at_least(aff))
    return lower, upper


def _at_least(aff: isl.Aff) -> isl.Set:
    return isl.Set.from_basic_set(
        aff.ge_basic_set(isl.Aff.zero_on_domain(aff.get_domain_local_space()))
    )


def _four_parts(domain: isl.Set, center: isl.Set) -> list[tuple[isl.Set, bool]]:
    """Before the center, in it, after it, and where there is nothing to compare with."""
    level = domain.dim(SET) - 1
    inside = domain.intersect(center)
    earlier = _moved(center, level).intersect(domain)
    before = earlier.subtract(center).coalesce()
    later = _moved(center, level, later=True).intersect(domain)
    after = later.subtract(center).subtract(before).coalesce()
    other = domain.subtract(inside.union(before).union(after)).coalesce()
    return [(before, False), (inside, True), (after, False), (other, False)]


def _moved(center: isl.Set, level: int, *, later: bool = False) -> isl.Set:
    """The values before (or after) some value of the center."""
    anything = universe(center, level + 1)
    order = same_prefix(anything, anything, level)
    compare = isl.Map.order_lt if later else isl.Map.order_gt
    order = compare(order, isl.dim_type.in_, level, isl.dim_type.out, level)
    return approximated(center.apply(order), isl.Set.remove_unknown_divs)
