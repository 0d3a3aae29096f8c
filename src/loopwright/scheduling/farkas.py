"""Which affine functions are not negative on all pairs (PPCG §6.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import islpy as isl

from loopwright.polyhedra.integer_matrices import Vector, dot, negated
from loopwright.polyhedra.levels import approximated
from loopwright.scheduling.coalescing import without_coalescing_bounds
from loopwright.scheduling.graph import Affine, Edge, Node

SET, CST, PARAM, DIV = isl.dim_type.set, isl.dim_type.cst, isl.dim_type.param, isl.dim_type.div


MANY_CONDITIONS = 40
"""More conditions than this are worth a look at which of them are redundant."""


@dataclass(frozen=True, slots=True)
class Multiplier:
    """A condition on the coefficients of a function d + c·n + a·x + b·y that is valid on pairs.

    ``constant`` d + ``parameters``·c + ``source``·a + ``sink``·b >= 0, or = 0.  For pairs of
    instances of one statement the function is of the difference y - x, and ``source`` is empty.
    """

    constant: int
    parameters: Vector
    source: Vector
    sink: Vector
    is_equality: bool


class Farkas:
    """Remembers the conditions for each set of pairs, disjunct by disjunct."""

    def __init__(self, nodes: dict[int, Node], *, treat_coalescing: bool) -> None:
        self.nodes = nodes
        self.treat_coalescing = treat_coalescing
        self._of_disjuncts: dict[isl.BasicSet, tuple[Multiplier, ...]] = {}
        self._of_edges: dict[int, tuple[Edge, tuple[Multiplier, ...]]] = {}

    def of_edge(self, edge: Edge) -> tuple[Multiplier, ...]:
        """The conditions for all pairs of an edge."""
        found = self._of_edges.get(id(edge.pairs))
        if found is None:
            distinct: dict[Multiplier, None] = {}
            disjuncts = self.disjuncts(edge)
            for disjunct in disjuncts:
                distinct.update(dict.fromkeys(self.of_disjunct(edge, disjunct)))
            if len(distinct) > MANY_CONDITIONS:
                distinct = dict.fromkeys(self._of_union(edge, disjuncts))
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
        if pairs.involves_locals():
            pairs = approximated(pairs, isl.Set.remove_divs)
        parts = [each for each in pairs.get_basic_sets() if not each.is_empty()]
        if self.treat_coalescing and edge.source == edge.sink:
            parts = without_coalescing_bounds(parts, self.nodes[edge.source].sizes)
        return parts

    def _of_union(self, edge: Edge, disjuncts: list[isl.BasicSet]) -> tuple[Multiplier, ...]:
        """The conditions for all disjuncts, without those that others imply."""
        union = reduce(isl.Set.union, map(isl.Set.from_basic_set, disjuncts))
        inputs = 0 if edge.source == edge.sink else self.nodes[edge.source].dimensions
        return _multipliers(union.coefficients().remove_redundancies(), union, inputs)

    def of_disjunct(self, edge: Edge, disjunct: isl.BasicSet) -> tuple[Multiplier, ...]:
        """The conditions for a disjunct alone."""
        found = self._of_disjuncts.get(disjunct)
        if found is None:
            inputs = 0 if edge.source == edge.sink else self.nodes[edge.source].dimensions
            pairs = isl.Set.from_basic_set(disjunct)
            found = _multipliers(pairs.coefficients(), pairs, inputs)
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


def _multipliers(coefficients: isl.BasicSet, pairs: isl.Set, inputs: int) -> tuple[Multiplier, ...]:
    parameters = pairs.dim(PARAM)
    width = coefficients.dim(SET)
    found: list[Multiplier] = []
    for is_equality, matrix in (
        (True, coefficients.equalities_matrix(SET, CST, PARAM, DIV)),
        (False, coefficients.inequalities_matrix(SET, CST, PARAM, DIV)),
    ):
        for row in range(matrix.rows()):
            values = [matrix.get_element_val(row, at).to_python() for at in range(width)]
            first = 1 + parameters
            found.append(
                Multiplier(
                    values[0],
                    tuple(values[1:first]),
                    tuple(values[first : first + inputs]),
                    tuple(values[first + inputs :]),
                    is_equality,
                )
            )
    return tuple(found)
