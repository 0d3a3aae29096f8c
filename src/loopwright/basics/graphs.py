"""Directed graphs: what belongs together, in an order that the edges allow."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import networkx as nx

Node = TypeVar("Node", bound=Hashable)


def ordered_components(
    nodes: Sequence[Node], edges: Iterable[tuple[Node, Node]]
) -> list[list[Node]]:
    """The strongly connected components, sources first; where that is free, as the nodes come.

    >>> ordered_components("abcd", [("d", "a"), ("b", "c"), ("c", "b")])
    [['b', 'c'], ['d'], ['a']]
    """
    position = {node: at for at, node in enumerate(nodes)}
    graph: nx.DiGraph[Node] = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    members = {
        at: sorted(inside, key=position.__getitem__)
        for at, inside in enumerate(nx.strongly_connected_components(graph))
    }
    condensed = nx.condensation(graph, list(members.values()))

    def place(component: int) -> int:
        return position[members[component][0]]

    return [members[at] for at in nx.lexicographical_topological_sort(condensed, key=place)]
