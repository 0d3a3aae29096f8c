"""From constraints to a schedule tree: components, bands, and what to do without one (PPCG §6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from loopwright.model.scheduling_trace import Algorithm, BandMade, Problem, Reason, Separated
from loopwright.polyhedra.integer_matrices import rank
from loopwright.scheduling.bands import Band, compute_band
from loopwright.scheduling.clusters import Previous, clusters_of
from loopwright.scheduling.coalescing import coalesced
from loopwright.scheduling.conditions import left_by, part_of
from loopwright.scheduling.fallbacks import original_member, pluto_member, wavefront
from loopwright.scheduling.feautrier import carrying_function
from loopwright.scheduling.graph import Functions, Graph
from loopwright.scheduling.parts import BandPart, Leaf, Part, Split
from loopwright.scheduling.units import unit_of
from loopwright.scheduling.workshop import Workshop


class NoSchedule(ValueError):
    """Some constraints contradict each other."""


class Scheduler:
    """Schedules a graph from the outside in.

    ``original`` are the loops of the program as written, where they are known.
    """

    def __init__(self, shop: Workshop, original: Sequence[Functions] = ()) -> None:
        self.shop = shop
        self.original = original

    def schedule(self, graph: Graph, previous: Previous) -> Part:
        """Schedule components on their own (§6.1)."""
        is_ordered = self.shop.options.serialize_sccs
        components = graph.strongly_connected() if is_ordered else graph.connected()
        if len(components) == 1:
            return self._component(graph, previous)
        reason: Reason = "serialized" if is_ordered else "unconnected"
        self._note_split(components, is_ordered, reason)
        return self._split(graph, previous, components, is_ordered)

    def _split(
        self, graph: Graph, previous: Previous, parts: Sequence[Sequence[int]], is_ordered: bool
    ) -> Part:
        children = [
            (tuple(numbers), self.schedule(part_of(graph, numbers), previous)) for numbers in parts
        ]
        return Split(is_ordered, tuple(children))

    def _component(self, graph: Graph, previous: Previous) -> Part:
        if not self.shop.options.whole_component and len(graph.strongly_connected()) > 1:
            return self._clustered(graph, previous)
        band = self._band(graph, previous)
        self.shop.events.append(band.record)
        return self._finished(graph, previous, band)

    def _band(
        self,
        graph: Graph,
        previous: Previous,
        shop: Workshop | None = None,
        *,
        coincidence: bool = True,
    ) -> Band:
        shop = shop or self.shop
        units = [unit_of(node, shop.parameters, previous[node.number]) for node in graph.nodes]
        return compute_band(shop, shop.bounded(units), graph.edges, coincidence=coincidence)

    def _clustered(self, graph: Graph, previous: Previous) -> Part:
        clusters = clusters_of(self.shop, graph, previous)
        if len(clusters) > 1:
            self._note_split([each.statements for each in clusters], True, "not merged")
        children = [
            (
                each.statements,
                self._finished(part_of(graph, each.statements), previous, each.band),
            )
            for each in clusters
        ]
        return children[0][1] if len(children) == 1 else Split(True, tuple(children))

    def _finished(self, graph: Graph, previous: Previous, band: Band) -> Part:
        """The band, and what is left to do inside it (§6.5.8)."""
        if not band.members:
            finish = self._sorted if band.is_complete else self._carry
            return finish(graph, previous)
        halves = self._halves(graph, previous, band)
        if halves is not None:
            self._note_split(halves, True, "for a deeper band")
            return self._split(graph, previous, halves, is_ordered=True)
        if self.shop.options.fallback == "wavefront" and not band.coincident:
            return self._wave(graph, previous, band)
        members = tuple(each.functions for each in band.members)
        coincident = tuple(each.is_coincident for each in band.members)
        inside = self._sorted if band.is_complete else self.schedule
        child = inside(left_by(self.shop, graph, members), _extended(previous, members))
        return BandPart(members, coincident, True, child)

    def _halves(self, graph: Graph, previous: Previous, band: Band) -> list[list[int]] | None:
        """Two parts of a component, where a constraint between them ended the band (§6.5.8)."""
        options = self.shop.options
        if band.is_complete or not (options.whole_component and options.maximize_band_depth):
            return None
        components = graph.strongly_connected()
        place = {self.shop.nodes[n].name: at for at, each in enumerate(components) for n in each}
        explained = self._band(graph, previous, replace(self.shop, explains=True))
        for blocker in explained.record.ended_by:
            if place[blocker.source] != place[blocker.sink]:
                cut = min(place[blocker.source], place[blocker.sink]) + 1
                parts = components[:cut], components[cut:]
                return [sorted(chain.from_iterable(each)) for each in parts]
        return None

    def _wave(self, graph: Graph, previous: Previous, band: Band) -> Part:
        """The sum of the members around all but the first of them (§6.2)."""
        outer, inner = wavefront([each.functions for each in band.members])
        self._note_member(graph, "wavefront", outer)
        left = left_by(self.shop, graph, [outer])
        inside = self._sorted if band.is_complete else self.schedule
        child = inside(left_by(self.shop, left, inner), _extended(previous, [outer, *inner]))
        if inner:
            coincident = tuple(
                all(
                    self.shop.farkas.is_within(edge, each[edge.source], each[edge.sink], 0)
                    for edge in left.edges
                    if edge.is_coincidence
                )
                for each in inner
            )
            child = BandPart(tuple(inner), coincident, True, child)
        return BandPart((outer,), (False,), False, child)

    def _sorted(self, graph: Graph, previous: Previous) -> Part:
        """Statements that run at the same times, in an order that is valid."""
        components = graph.strongly_connected()
        if len(components) < len(graph.nodes):
            return self._carry(graph, previous)
        if len(components) == 1 or not any(edge.is_order for edge in graph.edges):
            return Leaf()
        return Split(True, tuple((tuple(each), Leaf()) for each in components))

    # --- without a band ---------------------------------------------------------------------------

    def _carry(self, graph: Graph, previous: Previous) -> Part:
        """A band of one member that carries some of the constraints (§6.2, §6.7)."""
        problems: list[Problem] = []
        found = self._fallback(graph, previous, problems)
        if found is None:
            components = graph.strongly_connected()
            if len(components) == 1:
                band = self._band(graph, previous, coincidence=False)
                if band.members:
                    return self._finished(graph, previous, band)
                names = ", ".join(self.shop.names(components[0]))
                raise NoSchedule(f"no schedule meets the constraints between {names}")
            self._note_split(components, True, "nothing carried")
            return self._split(graph, previous, components, is_ordered=True)
        algorithm, functions = found
        self._note_member(graph, algorithm, functions, problems)
        child = self.schedule(
            left_by(self.shop, graph, [functions]), _extended(previous, [functions])
        )
        return BandPart((functions,), (False,), False, child)

    def _fallback(
        self, graph: Graph, previous: Previous, problems: list[Problem]
    ) -> tuple[Algorithm, Functions] | None:
        """A member, and where it is from."""
        found: Functions | None = None
        match self.shop.options.fallback:
            case "original":
                found = original_member(self.shop, graph, self.original)
                if found is not None:
                    return "original", found
            case "single" | "validity" as kind:
                found = pluto_member(self.shop, graph, previous, only_validity=kind == "validity")
                if found is not None:
                    return "pluto", found
            case "feautrier" | "wavefront":
                pass
        return self._carrying(graph, previous, problems)

    def _carrying(
        self, graph: Graph, previous: Previous, problems: list[Problem]
    ) -> tuple[Algorithm, Functions] | None:
        """Feautrier's member, or what serves instead where it folds loops or there is none."""
        found = carrying_function(self.shop, graph, problems)
        is_tied = len(graph.strongly_connected()) == 1
        if found is None and is_tied and self.shop.options.treat_coalescing:
            found = carrying_function(self.shop.with_all_bounds(), graph, problems)
        if found is not None:
            if self._folds_loops(graph, found):
                simple = pluto_member(self.shop, graph, previous, only_validity=True)
                if simple is not None and not self._folds_loops(graph, simple):
                    return "pluto", simple
            return "feautrier", found
        if is_tied:
            found = original_member(self.shop, graph, self.original)
        return None if found is None else ("original", found)

    def _folds_loops(self, graph: Graph, functions: Functions) -> bool:
        """Is a member left that makes one loop of two, for want of a better one (§7.5.4)?"""
        return self.shop.options.treat_coalescing and any(
            coalesced(functions[node.number].variables, node.sizes) is not None
            for node in graph.nodes
        )

    def _note_member(
        self,
        graph: Graph,
        algorithm: Algorithm,
        functions: Functions,
        problems: Sequence[Problem] = (),
    ) -> None:
        """Record a band of one member that is neither coincident nor permutable."""
        names = self.shop.names(node.number for node in graph.nodes)
        times = (self.shop.times(functions),) if self.shop.explains else ()
        made = BandMade(names, algorithm, 1, 0, False, tuple(problems), functions=times)
        self.shop.events.append(made)

    def _note_split(self, parts: Sequence[Sequence[int]], is_ordered: bool, reason: Reason) -> None:
        names = tuple(self.shop.names(each) for each in parts)
        self.shop.events.append(Separated(names, is_ordered, reason))


def _extended(previous: Previous, members: Sequence[Functions]) -> Previous:
    found = dict(previous)
    for functions in members:
        for number, function in functions.items():
            rows = found[number]
            if any(function.variables) and rank([*rows, function.variables]) > len(rows):
                found[number] = (*rows, function.variables)
    return found
