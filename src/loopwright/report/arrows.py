"""The statement-level dependence graph as a picture needs it: nodes with texts, labelled arrows."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx

from loopwright.basics.records import record
from loopwright.model.dependences import Kind
from loopwright.report.findings import Findings
from loopwright.report.references import Finding, distance_text, shortened

MOST_DISTANCES = 3
LONGEST_STATEMENT = 44


@record
class Style:
    """How the arrows of a kind look; the dashes are those of SVG."""

    colour: str
    dashes: str
    graphviz: str


STYLES = {
    Kind.FLOW: Style("#1f5fa8", "", "solid"),
    Kind.ANTI: Style("#b8541a", "6 4", "dashed"),
    Kind.OUTPUT: Style("#6b3fa0", "2 3", "dotted"),
    Kind.INPUT: Style("#777777", "1 4", "dotted"),
}


@record
class Arrow:
    """All dependences of one kind from a statement to another."""

    source: str
    sink: str
    kind: Kind
    label: str


def arrows(found: Findings) -> list[Arrow]:
    """The arrows, in the order of the source."""
    between: dict[tuple[str, str, Kind], list[Finding]] = {}
    for each in found.rows:
        edge = each.dependence
        ends = edge.source.statement.name, edge.sink.statement.name, edge.kind
        between.setdefault(ends, []).append(each)
    return [Arrow(*ends, _label(findings)) for ends, findings in between.items()]


def _label(findings: Sequence[Finding]) -> str:
    """``A (0, 1) (1, 0)``: the arrays, each with the distances over the common loops."""
    by_array: dict[str, dict[str, None]] = {}
    for each in findings:
        distance = distance_text(each.reach) if each.reach.distances else ""
        by_array.setdefault(each.variable, {})[distance] = None
    texts: list[str] = []
    for array, distances in by_array.items():
        shown = [each for each in distances if each][:MOST_DISTANCES]
        more = len([each for each in distances if each]) - len(shown)
        texts.append(" ".join([array, *shown, *([f"+{more}"] if more else [])]))
    return ", ".join(texts)


def node_texts(found: Findings) -> dict[str, tuple[str, str]]:
    """For each statement its name with the line, and its text."""
    return {
        each.name: (f"{each.name}, line {each.span.line}", shortened(each.text, LONGEST_STATEMENT))
        for each in found.scop.statements
        if not each.is_kill
    }


def generations(found: Findings, drawn: Sequence[Arrow]) -> list[list[tuple[str, ...]]]:
    """The components in layers: each one below all that it depends on."""
    home = {name: at for at, names in enumerate(found.components) for name in names}
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(found.components)))
    for each in drawn:
        if each.kind is not Kind.INPUT and home[each.source] != home[each.sink]:
            graph.add_edge(home[each.source], home[each.sink])
    return [
        [found.components[at] for at in sorted(layer)]
        for layer in nx.topological_generations(graph)
    ]
