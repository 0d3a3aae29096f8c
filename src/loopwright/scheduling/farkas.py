"""Which affine functions are not negative on all pairs (PPCG §6.3)."""

from __future__ import annotations

import islpy as isl

from loopwright.polyhedra.farkas import Multiplier, disjuncts_of, multipliers
from loopwright.polyhedra.integer_matrices import dot, negated
from loopwright.polyhedra.lexmin import Allowance
from loopwright.scheduling.coalescing import without_coalescing_bounds
from loopwright.scheduling.graph import Affine, Edge, Node


class Farkas:
    """Remembers the conditions for each set of pairs, disjunct by disjunct."""

    def __init__(
        self,
        nodes: dict[int, Node],
        *,
        treat_coalescing: bool,
        allowance: Allowance | None = None,
    ) -> None:
        self.nodes = nodes
        self.allowance = allowance or Allowance()
        self.treat_coalescing = treat_coalescing
        self._of_disjuncts: dict[isl.BasicSet, tuple[Multiplier, ...]] = {}
        self._of_edges: dict[int, tuple[Edge, tuple[Multiplier, ...]]] = {}

    def of_edge(self, edge: Edge) -> tuple[Multiplier, ...]:
        """The conditions for all pairs of an edge."""
        self.allowance.spend()
        found = self._of_edges.get(id(edge.pairs))
        if found is None:
            distinct: dict[Multiplier, None] = {}
            for disjunct in self.disjuncts(edge):
                distinct.update(dict.fromkeys(self.of_disjunct(edge, disjunct)))
            found = edge, tuple(distinct)
            self._of_edges[id(edge.pairs)] = found
        return found[1]

    def is_valid(self, edge: Edge, source: Affine, sink: Affine, slack: int = 0) -> bool:
        """Is f(sink) - f(source) + slack surely not negative for every pair?"""
        return all(_holds(each, source, sink, slack) for each in self.of_edge(edge))

    def is_within(self, edge: Edge, source: Affine, sink: Affine, distance: int) -> bool:
        """Is f(sink) - f(source) surely no more than a distance away from zero for every pair?"""
        opposite = [
            Affine(-each.constant, negated(each.parameters), negated(each.variables))
            for each in (source, sink)
        ]
        return self.is_valid(edge, source, sink, distance) and self.is_valid(
            edge, opposite[0], opposite[1], distance
        )

    def disjuncts(self, edge: Edge) -> list[isl.BasicSet]:
        """The pairs, or the differences within one statement, without hidden integers."""
        pairs = edge.pairs.deltas() if edge.source == edge.sink else edge.pairs.wrap()
        parts = disjuncts_of(pairs)
        if self.treat_coalescing and edge.source == edge.sink:
            parts = without_coalescing_bounds(parts, self.nodes[edge.source].sizes)
        return parts

    def of_disjunct(self, edge: Edge, disjunct: isl.BasicSet) -> tuple[Multiplier, ...]:
        """The conditions for a disjunct alone: not negative on its rays, zero on its lines."""
        found = self._of_disjuncts.get(disjunct)
        if found is None:
            is_difference = edge.source == edge.sink
            source = 0 if is_difference else self.nodes[edge.source].dimensions
            found = multipliers(disjunct, source, self.allowance)
            self._of_disjuncts[disjunct] = found
        return found


def _holds(multiplier: Multiplier, source: Affine, sink: Affine, slack: int = 0) -> bool:
    """Is the condition met by the function f(sink) - f(source) + slack?"""
    value = multiplier.constant * (sink.constant - source.constant + slack)
    value += dot(multiplier.parameters, sink.parameters)
    value -= dot(multiplier.parameters, source.parameters)
    value += dot(multiplier.sink, sink.variables)
    if multiplier.source:
        value -= dot(multiplier.source, source.variables)
    return value == 0 if multiplier.is_equality else value >= 0
