"""Conditions that have to stay together, for what hangs on them is out of order (PPCG §6.5.4)."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from loopwright.scheduling.graph import Affine, Edge, coscheduled, sink_first
from loopwright.scheduling.workshop import Workshop


def conflicting_conditions(
    shop: Workshop, edges: Sequence[Edge], members: Sequence[dict[int, Affine]]
) -> frozenset[int]:
    """The conditions that are apart in a member and adjacent to what a member puts out of order."""
    late: list[tuple[Edge, isl.Map]] = []
    for edge in edges:
        if edge.is_conditioned and not edge.is_validity:
            pairs = _out_of_order(shop, edge, members)
            if pairs is not None:
                late.append((edge, pairs))
    if not late:
        return frozenset()
    found: set[int] = set()
    for at, edge in enumerate(edges):
        if edge.is_condition:
            near = [each for each in late if _may_be_adjacent(edge, each[0])]
            if near and _is_adjacent(edge, _apart(edge, members), near):
                found.add(at)
    return frozenset(found)


def _out_of_order(
    shop: Workshop, edge: Edge, members: Sequence[dict[int, Affine]]
) -> isl.Map | None:
    found: isl.Map | None = None
    for functions in members:
        source, sink = functions[edge.source], functions[edge.sink]
        if not shop.farkas.is_valid(edge, source, sink):
            late = sink_first(edge, source, sink)
            if not late.is_empty():
                found = late if found is None else found.union(late)
    return found


def _apart(edge: Edge, members: Sequence[dict[int, Affine]]) -> isl.Map:
    functions = [(each[edge.source], each[edge.sink]) for each in members]
    together = coscheduled(edge, functions)
    return edge.pairs if together is None else edge.pairs.subtract(together.pairs)


def _may_be_adjacent(condition: Edge, late: Edge) -> bool:
    return _follows(condition, late) or _follows(late, condition)


def _follows(first: Edge, second: Edge) -> bool:
    """Is the sink of one the source of the other, by the same reference?"""
    return first.sink == second.source and first.tags[1] == second.tags[0]


def _is_adjacent(condition: Edge, apart: isl.Map, late: Sequence[tuple[Edge, isl.Map]]) -> bool:
    if apart.is_empty():
        return False
    return any(
        (_follows(condition, edge) and not apart.range().is_disjoint(pairs.domain()))
        or (_follows(edge, condition) and not pairs.range().is_disjoint(apart.domain()))
        for edge, pairs in late
    )
