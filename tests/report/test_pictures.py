"""The graph for Graphviz and as a drawing: well-formed, complete, and legible."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loopwright import read_c
from loopwright.report.dot import dot_text
from loopwright.report.drawing import svg_text
from loopwright.report.findings import Findings, findings
from loopwright.report.shapes import Box
from tests.docs.pages import blocks_of

from .programs import found_in, kernel

SVG = "{http://www.w3.org/2000/svg}"

AWKWARD = kernel(
    """for (int i = 0; i < n; i++) {
A[i] = i < 3 && c == '"' ? '\\\\' : '<';
B[i] = A[i]; }""",
    "int n, char c, double A[n], double B[n]",
)
"""Quotes, a backslash, and what XML cannot hold."""

CYCLE = kernel(
    """for (int i = 1; i < n; i++) {
A[i] = B[i - 1];
B[i] = A[i - 1];
A[0] += B[i]; }"""
)


def region(name: str, project_root: Path) -> Findings:
    (scop,) = read_c(project_root / "benchmarks" / "kernels" / f"{name}.c", define=["MINI"])
    return findings(scop)


# --- Graphviz -------------------------------------------------------------------------------------

STRING = r'"(?:[^"\\]|\\.)*"'
ATTRIBUTES = rf"\[\w+=(?:{STRING}|\w+)(?:, \w+=(?:{STRING}|\w+))*\]"
LINE = re.compile(
    rf"digraph \w+ \{{|subgraph \w+ \{{|\}}|\w+ {ATTRIBUTES};|label={STRING};"
    rf"|(?P<source>{STRING})(?: -> (?P<sink>{STRING}))? (?P<attributes>{ATTRIBUTES});"
)


def parsed(text: str) -> list[re.Match[str]]:
    """The lines of a graph, each of a form that Graphviz reads."""
    found = [LINE.fullmatch(line.strip()) for line in text.splitlines()]
    assert None not in found, text.splitlines()[found.index(None)]
    assert text.count("{") == text.count("}")
    return [each for each in found if each is not None]


def test_nodes_and_edges() -> None:
    lines = parsed(dot_text([found_in(CYCLE)]))
    nodes = {each["source"] for each in lines if each["source"] and not each["sink"]}
    assert nodes == {'"0.S0"', '"0.S1"', '"0.S2"'}
    edges = Counter((each["source"], each["sink"]) for each in lines if each["sink"])
    # A[i - 1] is never A[0] but in the first iteration, before S2 writes it.
    assert edges[('"0.S0"', '"0.S1"')] == 1  # flow of A, one iteration later
    assert edges[('"0.S1"', '"0.S0"')] == 1  # flow of B
    assert edges[('"0.S1"', '"0.S2"')] == 2  # flow of B, and A[0] is read before it changes
    assert edges[('"0.S2"', '"0.S2"')] == 3  # a sum
    assert sum(edges.values()) == 7


def test_edges_are_labelled_and_coloured_by_kind() -> None:
    (edge,) = (each for each in parsed(dot_text([found_in(AWKWARD)])) if each["sink"])
    assert 'label="A (0)", tooltip="flow"' in edge["attributes"]
    assert "style=solid" in edge["attributes"]


def test_strings_are_escaped_for_graphviz() -> None:
    lines = parsed(dot_text([found_in(AWKWARD)]))
    (node,) = (each for each in lines if each["source"] == '"0.S0"' and not each["sink"])
    label = re.search(rf"label=({STRING})", node["attributes"])
    assert label is not None
    shown = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "l" else found[1], label[1][1:-1])
    assert shown == """S0, line 5\nA[i] = i < 3 && c == '"' ? '\\\\' : '<'\n"""


def test_several_regions_are_several_clusters() -> None:
    text = dot_text([found_in(CYCLE), found_in(AWKWARD)])
    parsed(text)
    assert re.findall(r"subgraph (\w+)", text) == ["cluster_0", "cluster_1"]
    assert '"0.S0"' in text
    assert '"1.S0"' in text


# --- the drawing ----------------------------------------------------------------------------------


def texts_in(root: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


def drawn(found: list[Findings]) -> ElementTree.Element:
    return ElementTree.fromstring(svg_text(found))


def test_texts_are_escaped_for_xml() -> None:
    assert """A[i] = i < 3 && c == '"' ? '\\\\' : '<'""" in texts_in(drawn([found_in(AWKWARD)]))


def test_an_arrow_for_each_kind_between_two_statements_and_a_legend() -> None:
    root = drawn([found_in(CYCLE)])
    heads = Counter(each.get("marker-end") for each in root.iter(f"{SVG}path"))
    # Seven arrows as above, of which four are flow; one more of each kind in the legend.
    assert heads == {None: 4, "url(#flow)": 4 + 1, "url(#anti)": 2 + 1, "url(#output)": 1 + 1}
    assert {"flow", "anti", "output"} <= set(texts_in(root))
    assert "input" not in texts_in(root)


def test_inputs_have_a_place_in_the_legend() -> None:
    program = kernel("for (int i = 1; i < n; i++)\nB[i] = A[i] + A[i - 1];")
    root = drawn([found_in(program, inputs=True)])
    assert "input" in texts_in(root)


def test_what_is_needed_stands_above() -> None:
    root = drawn([found_in(AWKWARD)])
    heights = {
        text: float(each.get("y", "0"))
        for each in root.iter(f"{SVG}text")
        for text in ["".join(each.itertext())]
    }
    assert heights["S0, line 5"] < heights["S1, line 6"]


@pytest.mark.parametrize("name", ["gemm", "seidel-2d", "correlation", "gramschmidt", "3mm"])
def test_nothing_is_written_over_something_else(name: str, project_root: Path) -> None:
    root = drawn([region(name, project_root)])
    boxes = [
        Box(*(float(each.get(side, "0")) for side in ("x", "y", "width", "height")))
        for each in root.iter(f"{SVG}rect")
        if "%" not in each.get("width", "")
    ]
    assert len(boxes) > 2
    overlapping = [(one, other) for one, other in combinations(boxes, 2) if one.meets(other)]
    assert not overlapping


def test_the_picture_in_the_guide(project_root: Path, request: pytest.FixtureRequest) -> None:
    guide = project_root / "docs" / "guide"
    page = (guide / "reading-dependences.md").read_text()
    (program,) = (each.text for each in blocks_of(page) if each.title == "smooth.c")
    picture = svg_text([found_in(program)])
    if request.config.getoption("--update-golden"):
        (guide / "smooth.svg").write_text(picture)
    assert (guide / "smooth.svg").read_text() == picture


@pytest.mark.parametrize("name", ["gemm", "correlation", "durbin"])
def test_everything_is_inside_the_picture(name: str, project_root: Path) -> None:
    root = drawn([region(name, project_root)])
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for group in root.iter(f"{SVG}g"):
        moved = re.fullmatch(r"translate\((\S+) (\S+)\)", group.get("transform", ""))
        assert moved is not None
        for each in group.iter(f"{SVG}rect"):
            left, top = float(each.get("x", "0")), float(each.get("y", "0"))
            assert left + float(moved[1]) >= 0
            assert left + float(moved[1]) + float(each.get("width", "0")) <= width
            assert top + float(moved[2]) >= 0
            assert top + float(moved[2]) + float(each.get("height", "0")) <= height
