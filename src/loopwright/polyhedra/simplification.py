"""Saying a condition in fewer words where something is known already."""

from __future__ import annotations

import islpy as isl


def simplified_in(condition: isl.Set, known: isl.Set) -> isl.Set:
    """A condition that is the same wherever ``known`` holds, without what that implies.

    isl's ``gist`` has a flaw (0.28): on some pairs of sets it brings down the whole process.  None
    of them is of this form, where the first set is inside the second.

    >>> known = isl.Set("[N, M] -> { [i] : M <= N }")
    >>> print(simplified_in(isl.Set("[N, M] -> { [i] : M > 0 and N <= i <= 3 - N }"), known))
    [N, M] -> { [i] : N = 1 and M = 1 and 0 < i <= 2 }
    """
    if known.plain_is_universe() or condition.plain_is_universe():
        return condition
    return condition.intersect(known).gist(known)
