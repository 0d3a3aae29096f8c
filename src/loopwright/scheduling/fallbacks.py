"""Other ways to go on where no band has a coincident member (PPCG §6.2, §6.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from loopwright.polyhedra.unions import maps_of, space_key
from loopwright.scheduling.bands import compute_band
from loopwright.scheduling.clusters import Previous
from loopwright.scheduling.graph import Affine, Functions, Graph, Node, coscheduled, sink_first
from loopwright.scheduling.units import unit_of
from loopwright.scheduling.workshop import Workshop


def wavefront(members: Sequence[Functions]) -> tuple[Functions, list[Functions]]:
    """The sum of the members, and all of them but the first (§6.2)."""
    total = {
        number: Affine(
            sum(each[number].constant for each in members),
            _sum([each[number].parameters for each in members]),
            _sum([each[number].variables for each in members]),
        )
        for number in members[0]
    }
    return total, list(members[1:])


def _sum(vectors: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*vectors, strict=True)))


def pluto_member(
    shop: Workshop, graph: Graph, previous: Previous, *, only_validity: bool
) -> Functions | None:
    """The first member of Pluto without coincidence (§6.7.2), or with validity only (§6.7.3).

    A member that carries nothing would not bring us further.
    """
    edges = [
        replace(
            edge,
            is_validity=edge.is_order,
            is_coincidence=False,
            is_condition=False,
            is_proximity=edge.is_proximity and not only_validity,
        )
        for edge in graph.edges
    ]
    units = [unit_of(node, shop.parameters, previous[node.number]) for node in graph.nodes]
    band = compute_band(shop, shop.bounded(units), edges)
    if not band.members:
        return None
    functions = band.members[0].functions
    return functions if _carries(graph, functions) else None


def original_member(shop: Workshop, graph: Graph, loops: Sequence[Functions]) -> Functions | None:
    """The outermost loop of the program that is valid here and carries something (§6.7.1)."""
    numbers = {node.number for node in graph.nodes}
    for loop in loops:
        functions = {number: loop[number] for number in numbers}
        if _is_valid(shop, graph, functions) and _carries(graph, functions):
            return functions
    return None


def _is_valid(shop: Workshop, graph: Graph, functions: Functions) -> bool:
    for edge in graph.edges:
        source, sink = functions[edge.source], functions[edge.sink]
        if edge.is_order and not shop.farkas.is_valid(edge, source, sink):
            late = sink_first(edge, source, sink)
            if not late.is_empty():
                return False
    return True


def _carries(graph: Graph, functions: Functions) -> bool:
    """Does some pair that needs an order get one?"""
    for edge in graph.edges:
        if edge.is_order:
            together = coscheduled(edge, [(functions[edge.source], functions[edge.sink])])
            if together is None or not edge.pairs.is_subset(together.pairs):
                return True
    return False


def loops_of(times: isl.UnionMap, nodes: Sequence[Node]) -> list[Functions]:
    """The loops of a program, outermost first, as functions of the statements' coordinates.

    ``times`` are the values of all loops around each statement.  A statement with fewer loops than
    others does nothing in the inner ones.
    """
    of_name = {space_key(each.get_space().domain()): each for each in maps_of(times)}
    rows = {
        node.number: _functions(of_name.get(space_key(node.domain.get_space())), node)
        for node in nodes
    }
    depth = max((len(each) for each in rows.values()), default=0)
    parameters = nodes[0].domain.dim(isl.dim_type.param) if nodes else 0
    found: list[Functions] = []
    for level in range(depth):
        found.append(
            {
                node.number: rows[node.number][level]
                if level < len(rows[node.number])
                else Affine(0, (0,) * parameters, (0,) * node.dimensions)
                for node in nodes
            }
        )
    return found


def _functions(times: isl.Map | None, node: Node) -> list[Affine]:
    """The values as functions of the coordinates, up to the first that is not affine in them."""
    if times is None:
        return []
    space = node.domain.get_space()
    times = times.align_params(space).intersect_domain(node.domain).apply_domain(node.compression)
    values = isl.PwMultiAff.from_map(times.gist_domain(times.domain()))
    found: list[Affine] = []
    for at in range(values.dim(isl.dim_type.out)):
        value = values.get_pw_aff(at)
        if value.n_piece() != 1:
            break
        affine = value.get_pieces()[0][1]
        numbers = _numbers(affine)
        if numbers is None:
            break
        found.append(numbers)
    return found


def _numbers(value: isl.Aff) -> Affine | None:
    if value.dim(isl.dim_type.div) > 0 or not value.get_denominator_val().is_one():
        return None
    kinds = (isl.dim_type.param, isl.dim_type.in_)
    parameters, variables = (
        tuple(value.get_coefficient_val(kind, at).to_python() for at in range(value.dim(kind)))
        for kind in kinds
    )
    return Affine(value.get_constant_val().to_python(), parameters, variables)
