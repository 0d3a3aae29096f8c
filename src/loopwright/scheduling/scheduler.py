"""From constraints to a schedule tree: components, bands, and what to do without one (PPCG §6)."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from loopwright.polyhedra.integer_matrices import rank
from loopwright.polyhedra.lexmin import Allowance
from loopwright.scheduling.clusters import Previous, clusters_of
from loopwright.scheduling.constraints import ScheduleConstraints
from loopwright.scheduling.farkas import Farkas
from loopwright.scheduling.feautrier import carrying_function
from loopwright.scheduling.graph import Affine, Graph, graph_of, uncarried
from loopwright.scheduling.options import SchedulerOptions
from loopwright.scheduling.parts import BandPart, Leaf, Part, Split, tree_of_part
from loopwright.scheduling.pluto import Band, compute_band
from loopwright.scheduling.units import unit_of
from loopwright.scheduling.workshop import Workshop


def scheduled(constraints: ScheduleConstraints, options: SchedulerOptions) -> isl.Schedule:
    """The schedule tree for what was asked."""
    graph = graph_of(constraints)
    nodes = {node.number: node for node in graph.nodes}
    shop = Workshop(
        options,
        nodes,
        len(graph.parameters),
        Farkas(nodes, treat_coalescing=options.treat_coalescing),
        Allowance(),
    )
    part = _Scheduler(shop).schedule(graph, {number: () for number in nodes})
    return tree_of_part(part, graph.nodes)


class _Scheduler:
    def __init__(self, shop: Workshop) -> None:
        self.shop = shop

    def schedule(self, graph: Graph, previous: Previous) -> Part:
        """Schedule components on their own (§6.1)."""
        is_ordered = self.shop.options.serialize_sccs
        components = graph.strongly_connected() if is_ordered else graph.connected()
        if len(components) == 1:
            return self._component(graph, previous)
        return self._split(graph, previous, components, is_ordered)

    def _split(
        self, graph: Graph, previous: Previous, parts: Sequence[Sequence[int]], is_ordered: bool
    ) -> Part:
        children = [
            (tuple(numbers), self.schedule(graph.restricted(numbers), previous))
            for numbers in parts
        ]
        return Split(is_ordered, tuple(children))

    def _component(self, graph: Graph, previous: Previous) -> Part:
        if not self.shop.options.whole_component and len(graph.strongly_connected()) > 1:
            return self._clustered(graph, previous)
        units = [unit_of(node, self.shop.parameters, previous[node.number]) for node in graph.nodes]
        band = compute_band(self.shop, self.shop.bounded(units), graph.edges)
        return self._finished(graph, previous, band)

    def _clustered(self, graph: Graph, previous: Previous) -> Part:
        clusters = clusters_of(self.shop, graph, previous)
        children = [
            (
                each.statements,
                self._finished(graph.restricted(each.statements), previous, each.band),
            )
            for each in clusters
        ]
        return children[0][1] if len(children) == 1 else Split(True, tuple(children))

    def _finished(self, graph: Graph, previous: Previous, band: Band) -> Part:
        """The band, and what is left to do inside it (§6.5.8)."""
        if not band.members:
            return (
                self._sorted(graph, previous) if band.is_complete else self._carry(graph, previous)
            )
        members = tuple(each.functions for each in band.members)
        left = uncarried(graph, members)
        inner = _extended(previous, members)
        child = self._sorted(left, inner) if band.is_complete else self.schedule(left, inner)
        return BandPart(members, tuple(each.is_coincident for each in band.members), True, child)

    def _sorted(self, graph: Graph, previous: Previous) -> Part:
        """Statements that run at the same times, in an order that is valid."""
        components = graph.strongly_connected()
        if len(components) < len(graph.nodes):
            return self._carry(graph, previous)
        if len(components) == 1 or not any(edge.is_order for edge in graph.edges):
            return Leaf()
        return Split(True, tuple((tuple(each), Leaf()) for each in components))

    def _carry(self, graph: Graph, previous: Previous) -> Part:
        """A band of one member that carries some of the constraints (§6.2)."""
        functions = carrying_function(self.shop, graph)
        if functions is None:
            components = graph.strongly_connected()
            assert len(components) > 1, "nothing can be carried"
            return self._split(graph, previous, components, is_ordered=True)
        left = uncarried(graph, [functions])
        child = self.schedule(left, _extended(previous, [functions]))
        return BandPart((functions,), (False,), False, child)


def _extended(previous: Previous, members: Sequence[dict[int, Affine]]) -> Previous:
    found = dict(previous)
    for functions in members:
        for number, function in functions.items():
            rows = found[number]
            if any(function.variables) and rank([*rows, function.variables]) > len(rows):
                found[number] = (*rows, function.variables)
    return found
