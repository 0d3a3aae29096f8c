"""The graph that is scheduled: statements in coordinates of their own, and pairs between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, reduce

import islpy as isl

from loopwright.basics.graphs import connected_components, ordered_components
from loopwright.basics.records import record
from loopwright.polyhedra.integer_matrices import Vector, combined, identity
from loopwright.polyhedra.limits import simplified
from loopwright.polyhedra.unions import SpaceKey, by_statement, maps_of, sets_of, space_key
from loopwright.scheduling.compression import coordinates_of, to_coordinates
from loopwright.scheduling.constraints import ScheduleConstraints
from loopwright.scheduling.sizes import sizes_of

PARAM, SET, IN, OUT = isl.dim_type.param, isl.dim_type.set, isl.dim_type.in_, isl.dim_type.out


@record
class Affine:
    """An affine function of a statement's coordinates: constant + parameters·n + variables·x."""

    constant: int
    parameters: Vector
    variables: Vector


Functions = dict[int, Affine]
"""What a member of a band does with each statement."""


@record(eq=False, slots=False)
class Node:
    """A statement.

    ``coordinates`` are the rows of Q2 (PPCG §7.2): as many functions of the iterators as the domain
    has dimensions.  What the scheduler computes is a function of these.  ``context`` is what is
    known about the parameters.
    """

    number: int
    domain: isl.Set
    coordinates: tuple[Vector, ...]
    context: isl.Set

    @property
    def dimensions(self) -> int:
        """Of the domain."""
        return len(self.coordinates)

    @cached_property
    def is_compressed(self) -> bool:
        """Are the coordinates others than the iterators?"""
        return self.coordinates != identity(self.domain.dim(SET))

    @cached_property
    def compression(self) -> isl.Map:
        """From instances to their coordinates."""
        return to_coordinates(self.domain.get_space(), self.coordinates)

    @cached_property
    def sizes(self) -> tuple[int | None, ...]:
        """How far the domain reaches along each coordinate, where that is bounded (§7.5.2)."""
        possible = self.domain.intersect_params(self.context)
        return sizes_of(possible.apply(self.compression))

    @property
    def name(self) -> str:
        """Of the statement."""
        return self.domain.get_tuple_name() or ""

    def aff(self, function: Affine) -> isl.Aff:
        """The function on the instances themselves."""
        space = self.domain.get_space()
        value = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
        iterators = combined(function.variables, self.coordinates, space.dim(SET))
        terms = ((PARAM, function.parameters), (IN, iterators))
        for kind, factors in terms:
            for at, factor in enumerate(factors):
                if factor:
                    value = value.set_coefficient_val(kind, at, isl.Val(str(factor)))
        return value.set_constant_val(isl.Val(str(function.constant)))


@record(eq=False, slots=False)
class Edge:
    """Pairs of instances, in coordinates, between two statements.

    ``tags`` are the references at both ends where the pairs are conditions or conditioned.
    """

    source: int
    sink: int
    pairs: isl.Map
    is_validity: bool = False
    is_proximity: bool = False
    is_coincidence: bool = False
    is_condition: bool = False
    is_conditioned: bool = False
    tags: tuple[str, str] = ("", "")

    @property
    def is_order(self) -> bool:
        """Does it ask for an order, be it under a condition?"""
        return self.is_validity or self.is_conditioned


@record(eq=False, slots=False)
class Graph:
    """Statements to be scheduled with respect to each other, and what is still asked of them."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    parameters: tuple[str, ...] = ()

    def restricted(self, numbers: Iterable[int]) -> Graph:
        """The part between some of the statements."""
        kept = set(numbers)
        return replace(
            self,
            nodes=tuple(node for node in self.nodes if node.number in kept),
            edges=tuple(
                edge
                for number in sorted(kept)
                for edge in self._edges_from.get(number, ())
                if edge.sink in kept
            ),
        )

    @cached_property
    def _edges_from(self) -> dict[int, list[Edge]]:
        found: dict[int, list[Edge]] = defaultdict(list)
        for edge in self.edges:
            found[edge.source].append(edge)
        return dict(found)

    def connected(self) -> list[list[int]]:
        """The weakly connected components, each in the order of the statements (§6.1)."""
        edges = ((edge.source, edge.sink) for edge in self.edges)
        return connected_components(sorted(node.number for node in self.nodes), edges)

    def strongly_connected(self) -> list[list[int]]:
        """The components that validity ties together, in an order that respects it.

        Among components that may be in any order, that of the statements is kept.
        """
        edges = ((edge.source, edge.sink) for edge in self.edges if edge.is_order)
        return ordered_components([node.number for node in self.nodes], edges)


# --- from what was asked --------------------------------------------------------------------------

KINDS = {
    "validity": "is_validity",
    "proximity": "is_proximity",
    "coincidence": "is_coincidence",
    "condition": "is_condition",
    "conditional_validity": "is_conditioned",
}


TAGGED = {"condition", "conditional_validity"}
"""These may carry references."""


def graph_of(constraints: ScheduleConstraints) -> Graph:
    """The statements and the pairs between them, each set of pairs once."""
    relations = [getattr(constraints, name) for name in KINDS]
    space = constraints.domain.get_space().align_params(constraints.context.get_space())
    for relation in relations:
        space = space.align_params(relation.get_space())
    sets = [each for each in sets_of(constraints.domain) if not each.is_empty()]
    nodes = tuple(
        Node(
            number,
            domain.align_params(space).coalesce(),
            coordinates_of(domain),
            constraints.context,
        )
        for number, domain in enumerate(by_statement(sets, SET))
    )
    numbers = {space_key(node.domain.get_space()): node for node in nodes}
    edges: dict[tuple[int, int, tuple[str, str]], list[Edge]] = defaultdict(list)
    for name, flag in KINDS.items():
        for pairs in maps_of(getattr(constraints, name)):
            pairs = pairs.align_params(space)
            tags = ("", "")
            if name in TAGGED and space_key(pairs.get_space().domain()) not in numbers:
                pairs, tags = _untagged(pairs)
            edge = _edge(pairs, tags, numbers)
            if edge is not None:
                known = edges[edge.source, edge.sink, edge.tags]
                _add(known, edge, flag)
    parameters = tuple(space.get_dim_name(PARAM, at) or "" for at in range(space.dim(PARAM)))
    return Graph(nodes, tuple(edge for known in edges.values() for edge in known), parameters)


def _untagged(pairs: isl.Map) -> tuple[isl.Map, tuple[str, str]]:
    """The pairs without tags, and the tags."""
    space = pairs.get_space()
    if not space.domain().is_wrapping() or not space.range().is_wrapping():
        return pairs, ("", "")
    ends = space.domain().unwrap(), space.range().unwrap()
    source, sink = (each.get_tuple_name(OUT) or "" for each in ends)
    return pairs.factor_domain(), (source, sink)


def _edge(pairs: isl.Map, tags: tuple[str, str], nodes: dict[SpaceKey, Node]) -> Edge | None:
    """The pairs in coordinates, if both ends are scheduled at all."""
    space = pairs.get_space()
    source, sink = nodes.get(space_key(space.domain())), nodes.get(space_key(space.range()))
    if source is None or sink is None:
        return None
    pairs = pairs.intersect_domain(source.domain).intersect_range(sink.domain)
    pairs = _possible(pairs, source.context)
    if pairs.is_empty():
        return None
    if source.is_compressed:
        pairs = pairs.apply_domain(source.compression)
    if sink.is_compressed:
        pairs = pairs.apply_range(sink.compression)
    return Edge(source.number, sink.number, _fewer(pairs), tags=tags)


def _possible(pairs: isl.Map, context: isl.Set) -> isl.Map:
    """The pairs without disjuncts that the context rules out.

    The context itself stays out of them: its bounds on parameters would invite coalescing (§7.5.1).
    """
    parts = [isl.Map.from_basic_map(each) for each in pairs.get_basic_maps()]
    kept = [each for each in parts if not each.intersect_params(context).is_empty()]
    if len(kept) == len(parts):
        return pairs
    return reduce(isl.Map.union, kept, isl.Map.empty(pairs.get_space()))


MANY_DISJUNCTS = 100


def _fewer(pairs: isl.Map) -> isl.Map:
    """The pairs in fewer disjuncts where there are very many.

    A few simple disjuncts are better than one that takes long to describe: seven neighbours in
    space are seven points, but their hull has many corners.  What isl joins may hold further
    fractions; the equalities that all integers in it satisfy are written down.
    """
    if pairs.n_basic_map() <= MANY_DISJUNCTS:
        return pairs
    found = isl.Map.empty(pairs.get_space())
    for each in simplified(pairs, isl.Map.coalesce).get_basic_maps():
        found = found.union(isl.Map.from_basic_map(each.intersect(each.affine_hull())))
    return found


def _add(known: list[Edge], edge: Edge, flag: str) -> None:
    for at, other in enumerate(known):
        if _are_equal(other.pairs, edge.pairs):
            known[at] = replace(other, **{flag: True})
            return
    known.append(replace(edge, **{flag: True}))


def _are_equal(one: isl.Map, other: isl.Map) -> bool:
    """Are the pairs the same?  Where that takes long to find out, they count as different."""
    if one.plain_is_equal(other):
        return True
    return one.n_basic_map() * other.n_basic_map() <= FEW_COMPARISONS and one.is_equal(other)


FEW_COMPARISONS = 400


# --- after a band ---------------------------------------------------------------------------------


def uncarried(graph: Graph, members: Sequence[Functions]) -> Graph:
    """What is left of the graph where a band has given both ends of a pair the same times."""
    kept: list[Edge] = []
    for edge in graph.edges:
        together = coscheduled(edge, [(each[edge.source], each[edge.sink]) for each in members])
        if together is not None:
            kept.append(together)
    return replace(graph, edges=tuple(kept))


def coscheduled(edge: Edge, functions: Iterable[tuple[Affine, Affine]]) -> Edge | None:
    """The pairs whose ends have the same times."""
    equal = isl.BasicMap.universe(edge.pairs.get_space())
    for difference in functions:
        equal = equal.add_constraint(_equal(equal.get_space(), *difference))
    pairs = edge.pairs.intersect(isl.Map.from_basic_map(equal))
    if pairs.is_empty():
        return None
    return replace(edge, pairs=pairs)


def _equal(space: isl.Space, source: Affine, sink: Affine) -> isl.Constraint:
    local = isl.LocalSpace.from_space(space)
    return _difference(isl.Constraint.alloc_equality(local), source, sink)


def sink_first(edge: Edge, source: Affine, sink: Affine) -> isl.Map:
    """The pairs whose sink has an earlier time than their source."""
    equal_or_later = isl.Constraint.alloc_inequality(
        isl.LocalSpace.from_space(edge.pairs.get_space())
    )
    later = isl.BasicMap.from_constraint(_difference(equal_or_later, source, sink))
    return edge.pairs.subtract(isl.Map.from_basic_map(later))


def _difference(constraint: isl.Constraint, source: Affine, sink: Affine) -> isl.Constraint:
    """Filled with f(sink) - f(source)."""
    parameters = [b - a for a, b in zip(source.parameters, sink.parameters, strict=True)]
    terms = (
        (PARAM, parameters),
        (IN, [-each for each in source.variables]),
        (OUT, sink.variables),
    )
    for kind, factors in terms:
        for at, factor in enumerate(factors):
            if factor:
                constraint = constraint.set_coefficient_val(kind, at, isl.Val(str(factor)))
    return constraint.set_constant_val(isl.Val(str(sink.constant - source.constant)))
