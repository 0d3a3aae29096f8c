"""Breaking up the values of a level into convex parts that run one after the other (§5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import islpy as isl

from loopwright.codegen.ordering import sorted_components
from loopwright.polyhedra.levels import SET, bounds_at, pieces, shared_constraints, union


def disjoint_parts(domain: isl.Set) -> list[isl.Set]:
    """The domain as convex sets that do not overlap.

    Fewer and larger sets are better, but those that isl makes of disjoint ones may overlap again.

    >>> overlapping = isl.Set("[N] -> { [i] : N > 0 and 0 <= i <= 2; [2] : -1 <= N <= 6 }")
    >>> for part in disjoint_parts(overlapping): print(part)
    [N] -> { [i] : N > 0 and 0 <= i <= 2 }
    [N] -> { [2] : -1 <= N <= 0 }
    """
    if domain.n_basic_set() <= 1:
        return [domain] if domain.n_basic_set() else []
    # isl (0.28) may take a set for disjoint that no longer is; a new union is free of that.
    disjoint = union([isl.Set.from_basic_set(part) for part in pieces(domain)]).make_disjoint()
    fewer = [isl.Set.from_basic_set(part) for part in pieces(disjoint.coalesce())]
    if all(first.is_disjoint(second) for first, second in combinations(fewer, 2)):
        return fewer
    return [isl.Set.from_basic_set(part) for part in pieces(disjoint)]


def alike_together(parts: list[isl.Set]) -> list[isl.Set]:
    """Parts with the same bounds on the level as one, however they differ in outer conditions.

    They make one loop under a disjunction instead of a copy of it for each.

    >>> twice = isl.Set("[n] -> { [i] : 0 <= i < 10 and (n < 2 or n > 5) }")
    >>> len(alike_together(disjoint_parts(twice)))
    1
    """
    groups: list[tuple[isl.Set, isl.Set]] = []
    for part in parts:
        own = part.drop_constraints_not_involving_dims(SET, part.dim(SET) - 1, 1)
        for index, (shared, group) in enumerate(groups):
            if own.plain_is_equal(shared):
                groups[index] = shared, group.union(part)
                break
        else:
            groups.append((own, part))
    return [group for _, group in groups]


def separated(domains: Sequence[isl.Set]) -> list[isl.Set]:
    """The common refinement: disjoint convex sets in each of which the same statements run.

    ``domains`` are the values at which each statement runs.

    >>> one, all_of = isl.Set("[M] -> { [0] }"), isl.Set("[M] -> { [i] : 0 <= i <= M }")
    >>> for part in separated([one, all_of]): print(part)
    [M] -> { [i] : 0 < i <= M }
    [M] -> { [i = 0] : M >= 0 }
    [M] -> { [0] : M < 0 }
    """
    cells: list[isl.Set] = []
    for domain in domains:
        refined: list[isl.Set] = []
        rest = domain
        for cell in cells:
            common = cell.intersect(domain).coalesce()
            if common.is_empty():
                refined.append(cell)
                continue
            refined.append(common)
            rest = rest.subtract(cell)
            outside = cell.subtract(domain).coalesce()
            if not outside.is_empty():
                refined.append(outside)
        rest = rest.coalesce()
        cells = refined if rest.is_empty() else [rest, *refined]
    return [part for cell in cells for part in disjoint_parts(cell)]


def in_order_alike_together(parts: list[isl.Set], level: int) -> list[isl.Set]:
    """The parts in order, alike ones as one, unless what has to run between them forbids that."""
    alike = alike_together(parts)
    if len(alike) < len(parts):
        ordered = in_order(alike, level)
        if len(ordered) == len(alike):
            return ordered
    return in_order(parts, level)


def in_order(parts: Sequence[isl.Set], level: int) -> list[isl.Set]:
    """Disjoint parts of the values of a level, in the order in which they run.

    Parts whose order depends on the outer values have to share a loop and are given back as one.
    """
    if len(parts) == 1:
        return list(parts)

    def precedes(first: isl.Set, second: isl.Set) -> bool:
        return second.follows_at(first, level) > 0

    return [union(group) for group in sorted_components(parts, precedes)]


def convex_bounds(part: isl.Set) -> isl.BasicSet:
    """The constraints that all of a part shares, from which a loop takes its bounds.

    Only if those leave a side of the level open, constraints with another constant are looked for,
    which hold a little more than is needed.

    >>> part = isl.Set("[n] -> { [i] : 0 <= i < n; [i] : i = n + 3 and n > 0 }")
    >>> print(convex_bounds(part))
    [n] -> { [i] : n > 0 and 0 <= i <= 3 + n }
    """
    shared = shared_constraints(part)
    if part.n_basic_set() == 1:
        return shared
    lower, upper = bounds_at(shared, part.dim(SET) - 1)
    if lower and upper:
        return shared
    return shared.intersect(part.simple_hull())
