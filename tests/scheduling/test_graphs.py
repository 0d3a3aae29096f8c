"""Components of graphs, against another library of graphs."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from loopwright.basics.graphs import connected_components, ordered_components

MOST_NODES = 9
LONG_CHAIN = 5_000
NODES = st.integers(0, MOST_NODES).flatmap(lambda count: st.permutations(range(count)))
EDGES = st.lists(st.tuples(st.integers(0, MOST_NODES), st.integers(0, MOST_NODES)))


@given(NODES, EDGES)
def test_components_come_sources_first_and_else_as_the_nodes_do(
    nodes: list[int], edges: list[tuple[int, int]]
) -> None:
    edges = [each for each in edges if {*each} <= {*nodes}]
    found = ordered_components(nodes, edges)
    graph: nx.DiGraph[int] = nx.DiGraph(edges)
    graph.add_nodes_from(nodes)
    expected = {frozenset(each) for each in nx.strongly_connected_components(graph)}
    assert {frozenset(each) for each in found} == expected
    assert sum(map(len, found)) == len(nodes)
    assert all(each == sorted(each, key=nodes.index) for each in found)
    between = nx.condensation(graph, found)
    assert list(range(len(found))) == list(
        nx.lexicographical_topological_sort(between, key=lambda at: nodes.index(found[at][0]))
    )


@given(NODES, EDGES)
def test_connected_components_do_not_ask_for_directions(
    nodes: list[int], edges: list[tuple[int, int]]
) -> None:
    edges = [each for each in edges if {*each} <= {*nodes}]
    found = connected_components(nodes, edges)
    graph: nx.Graph[int] = nx.Graph(edges)
    graph.add_nodes_from(nodes)
    expected = [sorted(each, key=nodes.index) for each in nx.connected_components(graph)]
    assert found == sorted(expected, key=lambda each: nodes.index(each[0]))


def test_a_long_chain_is_no_deep_recursion() -> None:
    nodes = range(LONG_CHAIN)
    chain = [(at, at + 1) for at in nodes[:-1]]
    assert ordered_components(nodes, chain) == [[at] for at in nodes]
    assert ordered_components(nodes, [*chain, (LONG_CHAIN - 1, 0)]) == [list(nodes)]
