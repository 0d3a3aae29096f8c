"""The statement-level dependence graph and its components (PPCG §6.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loopwright.basics.graphs import ordered_components
from loopwright.model.dependences import Dependence, Dependences, Kind

if TYPE_CHECKING:
    import networkx as nx


def dependence_graph(dependences: Dependences) -> nx.DiGraph[str]:
    """A node for each statement that executes something, an edge where one needs another.

    The edge holds the ``dependences`` from the one to the other; pairs of reads are no reason for
    an edge.
    """
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    for statement in dependences.scop.statements:
        if not statement.is_kill:
            graph.add_node(statement.name, statement=statement)
    for (source, sink), found in _between(dependences).items():
        graph.add_edge(source, sink, dependences=found)
    return graph


def _between(dependences: Dependences) -> dict[tuple[str, str], list[Dependence]]:
    """The dependences that ask for an order, by the statements at their ends."""
    between: dict[tuple[str, str], list[Dependence]] = {}
    for each in dependences.edges():
        if each.kind is Kind.INPUT:
            continue
        ends = each.source.statement.name, each.sink.statement.name
        between.setdefault(ends, []).append(each)
    return between


def components(dependences: Dependences) -> list[list[str]]:
    """The strongly connected components, sources first, statements in the order of the source.

    Statements that need each other have to be scheduled together.

    >>> from loopwright import dependences, read_c
    >>> program = '''void f(int n, double *A, double *B) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++) {
    ...     A[i] = B[i - 1];
    ...     B[i] = A[i];
    ...   }
    ...   A[0] = 0;
    ... #pragma endscop
    ... }'''
    >>> components(dependences(read_c(program)[0]))
    [['S0', 'S1'], ['S2']]
    """
    statements = [each.name for each in dependences.scop.statements if not each.is_kill]
    return ordered_components(statements, _between(dependences))
