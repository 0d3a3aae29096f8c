"""The statement-level dependence graph and its components."""

from __future__ import annotations

import networkx as nx

from loopwright import dependences
from loopwright.dependence.graph import components, dependence_graph
from loopwright.model.dependences import Dependences, Kind
from tests.frontend.expectations import model_of

LOOP = "for (int i = 1; i < n; i++) "
ARRAYS = "int n, double *A, double *B, double *C"


def analysed(body: str, *, inputs: bool = False, **around: str) -> Dependences:
    return dependences(model_of(body, ARRAYS, **around), inputs=inputs)


def test_every_statement_that_executes_something_is_a_node() -> None:
    found = analysed(LOOP + "{ double t = A[i]; B[i] = t; } C[0] = 1;")
    assert any(each.is_kill for each in found.scop.statements)
    graph = dependence_graph(found)
    assert list(graph) == ["S0", "S1", "S2"]
    for name, statement in graph.nodes(data="statement"):
        assert statement is found.scop.statement(name)


def test_an_edge_holds_all_dependences_from_one_statement_to_another() -> None:
    graph = dependence_graph(analysed(LOOP + "{ A[i] = B[i]; B[i] = A[i] + A[i - 1]; }"))
    assert set(graph.edges) == {("S0", "S1")}
    kinds = [
        (each.kind, each.array, each.sink.access.text) for each in graph["S0"]["S1"]["dependences"]
    ]
    assert kinds == [
        (Kind.FLOW, "A", "A[i]"),
        (Kind.FLOW, "A", "A[i - 1]"),
        (Kind.ANTI, "B", "B[i]"),
    ]


def test_a_statement_may_depend_on_itself() -> None:
    graph = dependence_graph(analysed(LOOP + "A[i] = A[i - 1];"))
    assert set(graph.edges) == {("S0", "S0")}


def test_edges_cover_flow_and_false_dependences() -> None:
    found = analysed("A[0] = 1; A[0] = 2; B[0] = A[0]; A[0] = 3;")
    assert set(dependence_graph(found).edges) == {
        ("S0", "S1"),
        ("S1", "S2"),
        ("S1", "S3"),
        ("S2", "S3"),
    }


def test_pairs_of_reads_are_no_edges() -> None:
    found = analysed("A[0] = C[0]; B[0] = C[0];", inputs=True)
    assert [each.kind for each in found.edges()] == [Kind.INPUT]
    assert set(dependence_graph(found).edges) == set()
    assert components(found) == [["S0"], ["S1"]]


def test_independent_statements_are_components_of_their_own() -> None:
    assert components(analysed("A[0] = 1; B[0] = 2; C[0] = 3;")) == [["S0"], ["S1"], ["S2"]]


def test_a_cycle_is_one_component() -> None:
    found = analysed(LOOP + "{ A[i] = B[i - 1]; B[i] = A[i]; C[i] = A[i]; }")
    assert components(found) == [["S0", "S1"], ["S2"]]


def test_components_come_sources_first() -> None:
    """S2 feeds the cycle of S0 and S1 from the previous iteration."""
    found = analysed(LOOP + "{ A[i] = B[i - 1] + C[i - 1]; B[i] = A[i]; C[i] = 1; }")
    order = components(found)
    assert order == [["S2"], ["S0", "S1"]]


def test_among_free_components_the_order_of_the_source_counts() -> None:
    found = analysed(LOOP + "{ A[i] = 1; B[i] = A[i]; C[i] = 1; A[i + n] = 2; }")
    assert components(found) == [["S0"], ["S1"], ["S2"], ["S3"]]


def test_a_component_lists_its_statements_in_the_order_of_the_source() -> None:
    found = analysed(LOOP + "{ A[i] = C[i - 1]; B[i] = A[i]; C[i] = B[i]; }")
    assert components(found) == [["S0", "S1", "S2"]]


def test_components_partition_the_graph() -> None:
    found = analysed(LOOP + "{ A[i] = C[i - 1]; B[i] = A[i]; C[i] = 3; A[i] = B[i - 1]; }")
    graph = dependence_graph(found)
    order = components(found)
    assert sorted(name for each in order for name in each) == sorted(graph)
    position = {name: at for at, each in enumerate(order) for name in each}
    for source, sink in graph.edges:
        assert position[source] <= position[sink]
        if position[source] == position[sink]:
            assert nx.has_path(graph, sink, source)


def test_kills_and_dead_variables_add_no_edges() -> None:
    found = analysed(LOOP + "{ double t = A[i]; B[i] = t; }")
    assert set(dependence_graph(found).edges) == {("S0", "S0"), ("S0", "S1"), ("S1", "S0")}
    assert components(found) == [["S0", "S1"]]
