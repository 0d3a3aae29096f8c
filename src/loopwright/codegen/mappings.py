"""Code generation for multiple mappings (Kelly, Pugh, Rosser 1995): nothing is copied.

Each statement has a mapping of its own from its instances to times; the code is a tree of three
kinds of nodes (§3).  A split runs the times on one side of a constraint before those on the other,
a loop runs over the values of a level, a leaf runs statements.  A split whose sides have no
statement in common costs nothing (§4); all others are left to the lifting of overhead (§7).
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from loopwright.codegen.grafts import Graft
from loopwright.codegen.lifting import lifted_loops
from loopwright.codegen.stock import Stock
from loopwright.codegen.tasks import Executed, Task
from loopwright.polyhedra.levels import SET, projected, union, widened

Runs = tuple[isl.Map, isl.Set]
"""What one statement executes, and its values of the level: I[s, level] of the paper."""


def next_mapped_level(stock: Stock, executed: Executed, task: Task) -> list[Graft]:
    """The tree below a position (Figure 4), with its attributes (Figure 5)."""
    if not executed:
        return []
    if not task.members:
        return task.inside(stock, executed)
    known = widened(stock.known, 1)
    inner = len(task.members) - 1
    parts: list[Runs] = []
    for relation in executed:
        values = relation.domain().project_out(SET, stock.depth + 1, inner).intersect(known)
        if not values.is_empty():
            parts.append((relation, values))
    return _partition(stock, parts, task) if parts else []


def _partition(stock: Stock, parts: list[Runs], task: Task) -> list[Graft]:
    """A split if one can be had for nothing, else a loop."""
    sides = _sides(parts, stock.depth)
    if sides is not None:
        return [graft for side in sides for graft in _partition(stock, side, task)]
    executed = tuple(relation for relation, _ in parts)
    exact = stock.options.exact_projection
    values = union([projected(values, stock.depth, exact=exact) for _, values in parts]).coalesce()
    return lifted_loops(stock, executed, values, task, next_mapped_level)


def _sides(parts: list[Runs], level: int) -> tuple[list[Runs], list[Runs]] | None:
    """The statements on both sides of a constraint, in order, if each is on one side only."""
    if len(parts) == 1:
        return None
    for constraint, is_first in _constraints(parts, level):
        inside = [part for part in parts if part[1].is_subset(constraint)]
        if not 0 < len(inside) < len(parts):
            continue
        outside = [part for part in parts if not any(part is each for each in inside)]
        if all(values.is_disjoint(constraint) for _, values in outside):
            return (inside, outside) if is_first else (outside, inside)
    return None


def _constraints(parts: list[Runs], level: int) -> Iterator[tuple[isl.Set, bool]]:
    """Inequalities of some statement, and whether the values that satisfy them come first.

    An equality bounds it from both sides.
    """
    for _, values in parts:
        for piece in projected(values, level).get_basic_sets():
            for constraint in piece.get_constraints():
                aff = constraint.get_aff()
                is_first = not constraint.is_lower_bound(SET, level)
                yield isl.Set.from_basic_set(aff.ge_basic_set(_zero(aff))), is_first
                if constraint.is_equality():
                    yield isl.Set.from_basic_set(aff.le_basic_set(_zero(aff))), not is_first


def _zero(aff: isl.Aff) -> isl.Aff:
    return isl.Aff.zero_on_domain(aff.get_domain_local_space())
