"""Components scheduled alone, then joined as long as nothing is lost by it (PPCG §7.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scheduling_trace import MergeTried, Verdict
from loopwright.polyhedra.integer_matrices import Vector, remaining_coordinates
from loopwright.scheduling.bands import Band, compute_band
from loopwright.scheduling.compression import to_coordinates
from loopwright.scheduling.conditions import part_of
from loopwright.scheduling.graph import Edge, Graph
from loopwright.scheduling.units import Unit, unit_of
from loopwright.scheduling.workshop import Workshop

Previous = dict[int, tuple[Vector, ...]]
"""What outer bands do with each statement: the factors of its coordinates in their members."""

CLOSE = 2
"""Distances up to this count as small."""


@record(eq=False, slots=False)
class Cluster:
    """Statements with a common band."""

    statements: tuple[int, ...]
    band: Band
    order: int
    """The place among the components at the start."""

    @property
    def is_stuck(self) -> bool:
        """Is there no band although one is needed?"""
        return not self.band.members and not self.band.is_complete

    def unit(self) -> Unit:
        """The cluster as it moves against others."""
        functions = {
            each: tuple(member.functions[each] for member in self.band.members)
            for each in self.statements
        }
        return Unit(len(self.band.members), functions)


def clusters_of(shop: Workshop, graph: Graph, previous: Previous) -> list[Cluster]:
    """The clusters that are left when no two can be joined any more, in a valid order."""
    clusters: list[Cluster] = []
    for order, statements in enumerate(graph.strongly_connected()):
        part = part_of(graph, statements)
        units = [unit_of(node, shop.parameters, previous[node.number]) for node in part.nodes]
        units = shop.bounded(units)
        band = compute_band(shop, units, part.edges)
        shop.events.append(band.record)
        clusters.append(Cluster(tuple(statements), band, order))
    merging = _Merging(shop, graph, previous, clusters)
    merging.run()
    return merging.sequence.clusters


class _Merging:
    def __init__(
        self, shop: Workshop, graph: Graph, previous: Previous, clusters: list[Cluster]
    ) -> None:
        self.shop = shop
        self.graph = graph
        self.sequence = _Sequence(graph, clusters)
        self.home = self.sequence.home
        self.weights = {
            edge: _weight(edge, previous)
            for edge in graph.edges
            if edge.is_proximity and self.home[edge.source] is not self.home[edge.sink]
        }
        self.tried: set[Edge] = set()
        self.far: set[Edge] = set()
        """Rejected because of distances that are not small."""

    def run(self) -> None:
        """First join what comes close, then what can only be near."""
        for allow_far in (False, True):
            while True:
                edge = self._next()
                if edge is None:
                    break
                self._try(edge, allow_far)
            if not self.far:
                return
            self.tried -= self.far
            self.far = set()

    def _next(self) -> Edge | None:
        """The pairs with the greatest weight between clusters that are closest in order."""
        best: tuple[tuple[int, int], Edge] | None = None
        for edge, weight in self.weights.items():
            source, sink = self.home[edge.source], self.home[edge.sink]
            if edge in self.tried or source is sink or source.is_stuck or sink.is_stuck:
                continue
            if not source.band.members and not sink.band.members:
                continue  # no loop is left that they could share
            rank = (-weight, abs(source.order - sink.order))
            if best is None or rank < best[0]:
                best = rank, edge
        return None if best is None else best[1]

    def _try(self, edge: Edge, allow_far: bool) -> None:
        clusters = self.sequence.between(self.home[edge.source], self.home[edge.sink])
        numbers = {each for cluster in clusters for each in cluster.statements}
        part = part_of(self.graph, numbers)
        across = [each for each in part.edges if each.is_proximity and self._is_across(each)]
        is_stuck = any(each.is_stuck for each in clusters)
        if is_stuck or any(each in self.tried for each in across):
            self._note(edge, clusters, "no band between" if is_stuck else "tried before")
            self.tried.add(edge)
            return
        band = compute_band(self.shop, [each.unit() for each in clusters], part.edges)
        verdict = self._verdict(band, clusters)
        if verdict == "merged" and not any(
            self._is_close(each, band, allow_far) for each in across
        ):
            verdict = "too far apart"
            self.far.add(edge)
        self._note(edge, clusters, verdict, band)
        if verdict != "merged":
            self.tried.add(edge)
            return
        merged = Cluster(
            tuple(sorted(numbers)),
            replace(band, is_complete=self._is_complete(band, clusters)),
            min(each.order for each in clusters),
        )
        self.sequence.merge(clusters, merged)

    def _is_across(self, edge: Edge) -> bool:
        return self.home[edge.source] is not self.home[edge.sink]

    def _verdict(self, band: Band, clusters: Sequence[Cluster]) -> Verdict:
        """Is something lost that the options ask to keep (§7.3.5)?"""
        options = self.shop.options
        bands = [each.band for each in clusters]
        if not band.members:
            return "no common band"
        if options.maximize_band_depth and len(band.members) < max(
            len(each.members) for each in bands
        ):
            return "fewer members"
        if options.maximize_coincidence and band.coincident < max(
            each.coincident for each in bands
        ):
            return "fewer coincident members"
        return "merged"

    def _note(
        self, edge: Edge, clusters: Sequence[Cluster], verdict: Verdict, band: Band | None = None
    ) -> None:
        source, sink = self.shop.names((edge.source, edge.sink))
        names = tuple(self.shop.names(each.statements) for each in clusters)
        record = None if band is None else band.record
        self.shop.events.append(MergeTried(names, source, sink, verdict, record))

    def _is_close(self, edge: Edge, band: Band, allow_far: bool) -> bool:
        """Are the pairs brought close to each other in every member that can do so?"""
        slack = max(0, len(band.members) - self.weights[edge]) if allow_far else 0
        for member in band.members:
            source, sink = member.functions[edge.source], member.functions[edge.sink]
            if self.shop.farkas.is_within(edge, source, sink, CLOSE):
                continue
            is_fixed = not any(source.variables) or not any(sink.variables)
            if slack == 0 or not is_fixed:
                return False
            slack -= 1
        return True

    def _is_complete(self, band: Band, clusters: Sequence[Cluster]) -> bool:
        return band.is_complete and all(each.band.is_complete for each in clusters)


class _Sequence:
    """Clusters in an order that respects validity, and stays so when some are merged."""

    def __init__(self, graph: Graph, clusters: list[Cluster]) -> None:
        self.clusters = clusters
        self.home = {each: cluster for cluster in clusters for each in cluster.statements}
        self.after: dict[int, set[int]] = {node.number: set() for node in graph.nodes}
        for edge in graph.edges:
            if edge.is_order:
                self.after[edge.source].add(edge.sink)

    def between(self, one: Cluster, other: Cluster) -> list[Cluster]:
        """Both clusters and those that have to run between them."""
        first, last = sorted((self.clusters.index(one), self.clusters.index(other)))
        window = self.clusters[first : last + 1]
        reached = self._reached([window[0]], window)
        leading = {window[-1]}
        for cluster in reversed(window[:-1]):
            if cluster in reached and not leading.isdisjoint(self._next(cluster)):
                leading.add(cluster)
        leading.add(window[0])
        return [each for each in window if each in leading]

    def _reached(self, starts: Iterable[Cluster], among: Sequence[Cluster]) -> set[Cluster]:
        """Those that have to run after the starts, and the starts."""
        reached = set(starts)
        for cluster in among:
            if cluster in reached:
                reached.update(self._next(cluster))
        return reached

    def _next(self, cluster: Cluster) -> set[Cluster]:
        return {self.home[sink] for each in cluster.statements for sink in self.after[each]}

    def merge(self, parts: Sequence[Cluster], merged: Cluster) -> None:
        """Put one cluster in the place of several."""
        first, last = self.clusters.index(parts[0]), self.clusters.index(parts[-1])
        window = self.clusters[first : last + 1]
        reached = self._reached(parts, window)
        later = [each for each in window if each in reached and each not in parts]
        earlier = [each for each in window if each not in reached]
        self.clusters[first : last + 1] = [*earlier, merged, *later]
        for each in merged.statements:
            self.home[each] = merged


def _weight(edge: Edge, previous: Previous) -> int:
    """How many coordinates could be aligned that outer bands have not dealt with (§7.3.3)."""
    hull = edge.pairs.affine_hull()
    space = hull.get_space()
    for kind, statement in ((isl.dim_type.in_, edge.source), (isl.dim_type.out, edge.sink)):
        rows = previous[statement]
        if rows:
            end = space.domain() if kind == isl.dim_type.in_ else space.range()
            left = to_coordinates(end, remaining_coordinates(rows, end.dim(isl.dim_type.set)))
            change = left.affine_hull()
            if kind == isl.dim_type.in_:
                hull = hull.apply_domain(change)
            else:
                hull = hull.apply_range(change)
    return sum(
        constraint.is_equality()
        and _involves(constraint, isl.dim_type.in_)
        and _involves(constraint, isl.dim_type.out)
        for constraint in hull.remove_divs().get_constraints()
    )


def _involves(constraint: isl.Constraint, kind: isl.dim_type) -> bool:
    return constraint.involves_dims(kind, 0, constraint.get_space().dim(kind))
