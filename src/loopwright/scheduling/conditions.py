"""Conditions: which have to stay together, and what counts once they are apart (PPCG §6.5.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import islpy as isl

from loopwright.scheduling.graph import (
    Edge,
    Functions,
    Graph,
    coscheduled,
    sink_first,
    uncarried,
)
from loopwright.scheduling.workshop import Workshop


def conflicting_conditions(
    shop: Workshop, edges: Sequence[Edge], members: Sequence[Functions]
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


def _out_of_order(shop: Workshop, edge: Edge, members: Sequence[Functions]) -> isl.Map | None:
    found: isl.Map | None = None
    for functions in members:
        source, sink = functions[edge.source], functions[edge.sink]
        if not shop.farkas.is_valid(edge, source, sink):
            late = sink_first(edge, source, sink)
            if not late.is_empty():
                found = late if found is None else found.union(late)
    return found


def _apart(edge: Edge, members: Sequence[Functions]) -> isl.Map:
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


# --- what counts once a condition is apart --------------------------------------------------------

Apart = list[tuple[Edge, isl.Map]]
"""Conditions, and the pairs of each whose ends run at different times."""


def part_of(graph: Graph, numbers: Iterable[int]) -> Graph:
    """Some of the statements on their own: conditions to others are apart."""
    part = graph.restricted(numbers)
    inside = {node.number for node in part.nodes}
    conditioned = _conditioned(part.edges)
    if not conditioned:
        return part
    crossing: Apart = [
        (edge, edge.pairs)
        for edge in graph.edges
        if edge.is_condition
        and (edge.source in inside) != (edge.sink in inside)
        and any(_may_be_adjacent(edge, other) for other in conditioned)
    ]
    return _with_validity(part, crossing)


def left_by(shop: Workshop, graph: Graph, members: Sequence[Functions]) -> Graph:
    """What a band leaves to be done: what hangs on conditions that it puts apart is asked for."""
    left = uncarried(graph, members)
    conditioned = _conditioned(left.edges)
    if not conditioned:
        return left
    apart: Apart = []
    for edge in graph.edges:
        if edge.is_condition and any(_may_be_adjacent(edge, other) for other in conditioned):
            ends = [(each[edge.source], each[edge.sink]) for each in members]
            if not all(shop.farkas.is_within(edge, *functions, 0) for functions in ends):
                apart.append((edge, _apart(edge, members)))
    return _with_validity(left, apart)


def _conditioned(edges: Iterable[Edge]) -> list[Edge]:
    return [edge for edge in edges if edge.is_conditioned and not edge.is_validity]


def _with_validity(graph: Graph, apart: Apart) -> Graph:
    """The conditioned pairs next to a condition that is apart become validity constraints."""
    if not apart:
        return graph
    edges: list[Edge] = []
    for edge in graph.edges:
        if edge.is_conditioned and not edge.is_validity:
            edges += _divided(edge, apart)
        else:
            edges.append(edge)
    return replace(graph, edges=tuple(edges))


FEW_DIFFERENCES = 400
"""So many pairs of disjuncts may be subtracted from each other."""


def _divided(edge: Edge, apart: Apart) -> list[Edge]:
    near = isl.Map.empty(edge.pairs.get_space())
    for condition, pairs in apart:
        if _follows(condition, edge):
            near = near.union(edge.pairs.intersect_domain(pairs.range()))
        if _follows(edge, condition):
            near = near.union(edge.pairs.intersect_range(pairs.domain()))
    if near.is_empty():
        return [edge]
    must = replace(edge, pairs=near, is_validity=True)
    if edge.pairs.n_basic_map() * near.n_basic_map() > FEW_DIFFERENCES:
        return [must, edge]  # what is asked for anyway may be conditioned, too
    rest = edge.pairs.subtract(near)
    if rest.is_empty():
        return [replace(must, pairs=edge.pairs)]
    return [must, replace(edge, pairs=rest)]
