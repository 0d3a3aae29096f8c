"""Saying a condition in fewer words where something is known already."""

from __future__ import annotations

import islpy as isl

from loopwright.polyhedra.levels import MOST_DISJUNCTS, convex


def simplified_in(condition: isl.Set, known: isl.Set) -> isl.Set:
    """A condition that is the same wherever ``known`` holds, without what that implies.

    isl's ``gist`` has a flaw (0.28): on some pairs of sets it brings down the whole process.  None
    of them is of this form, where the first set is inside the second.

    >>> condition = isl.Set("[N, M] -> { [i] : M > 0 and N <= i <= 3 - N and i <= 3 + N }")
    >>> known = isl.Set("[N, M] -> { [i] : M <= N }")
    >>> print(simplified_in(condition, known))  # condition.gist(known) does not come back
    [N, M] -> { [i] : N = 1 and M = 1 and 0 < i <= 2 }
    """
    if known.plain_is_universe() or condition.plain_is_universe():
        return condition
    inside = condition.intersect(known)
    simplified = inside.gist(known)
    if _length(simplified) > _length(condition):
        return condition
    if not 1 < simplified.n_basic_set() <= MOST_DISJUNCTS:
        return simplified
    # isl does not see that disjuncts are known already; what they share may be all there is to say.
    hull = convex(inside)
    if not known.intersect(hull).is_subset(condition):
        return simplified
    around = convex(known)
    return hull.intersect(around).gist(around)


def _length(condition: isl.Set) -> int:
    """How many constraints there are to write."""
    return sum(len(piece.get_constraints()) for piece in condition.get_basic_sets())
