"""The JSON document of the dependences."""

from __future__ import annotations

import json
from typing import Any

import islpy as isl

from loopwright.report.documents import dependences_document

from .programs import found_in, kernel

PROGRAM = kernel(
    """for (int i = 1; i < n; i++)
for (int j = 0; j < n; j++)
A[i][j] = A[i - 1][j];
for (int i = 0; i < n; i++)
*s += A[i][0];""",
    "int n, double A[n][n], double *s",
)


def region_of(program: str, **asked: object) -> dict[str, Any]:
    document = json.loads(dependences_document([found_in(program, **asked)]))
    assert document["format"] == "loopwright-dependences-1"
    (region,) = document["regions"]
    return region


def same(text: str, expected: str) -> bool:
    return isl.UnionMap(text).is_equal(isl.UnionMap(expected))


def test_the_parts_of_the_document() -> None:
    assert list(region_of(PROGRAM)) == [
        "function",
        "file",
        "span",
        "mode",
        "context",
        "assumptions",
        "relations",
        "approximated",
        "edges",
        "loops",
        "kept_loops",
        "live_in",
        "live_out",
        "reductions",
        "components",
        "dead",
    ]


def test_relations_are_isl_texts() -> None:
    relations = region_of(PROGRAM)["relations"]
    flow = """[n] -> { S0[i, j] -> S0[i + 1, j] : 1 <= i < n - 1 and 0 <= j < n;
        S0[i, 0] -> S1[i] : 1 <= i < n; S1[i] -> S1[i + 1] : 0 <= i < n - 1 }"""
    assert same(relations["flow"], flow)
    live_in = """[n] -> { S0[1, j] -> A[0, j] : 0 <= j < n and n >= 2; S1[0] -> A[0, 0] : n > 0;
        S1[0] -> s[0] : n > 0 }"""
    assert same(relations["may_live_in"], live_in)
    untagged = isl.UnionMap(relations["tagged_flow"]).factor_domain()
    assert untagged.is_equal(isl.UnionMap(relations["flow"]))
    assert "order" in relations
    assert "forced" in relations
    assert "inputs" not in relations


def test_inputs_and_memory() -> None:
    region = region_of(PROGRAM, inputs=True, mode="memory")
    assert region["mode"] == "memory"
    pairs = isl.UnionMap(region["relations"]["inputs"])
    # The sum reads its last value, and row 0 is read by both statements.
    both = "[n] -> { S0[1, 0] -> S1[0] : n >= 2 }"
    assert isl.UnionMap(both).is_subset(pairs)


def test_an_edge() -> None:
    edge = region_of(PROGRAM)["edges"][0]
    assert (edge["kind"], edge["array"], edge["certain"]) == ("flow", "A", True)
    assert edge["source"]["statement"] == edge["sink"]["statement"] == "S0"
    assert edge["source"]["tag"] != edge["sink"]["tag"]
    assert (edge["source"]["text"], edge["sink"]["text"]) == ("A[i][j]", "A[i - 1][j]")
    assert edge["sink"]["span"].startswith("6:11-6:22@")
    assert edge["distances"] == [
        {"loop": 0, "least": 1, "greatest": 1},
        {"loop": 1, "least": 0, "greatest": 0},
    ]
    assert (edge["carried_by"], edge["within_iteration"], edge["reduction"]) == ([0], False, None)
    smallest = edge["smallest"]
    assert smallest["parameters"] == {"n": 3}
    assert smallest["source"] == {"i": 1, "j": 0}
    assert smallest["sink"] == {"i": 2, "j": 0}
    assert smallest["element"] == "A[1][0]"
    assert smallest["sentence"].startswith(
        "for n = 3: S0 at (i = 2, j = 0) on line 6 reads A[1][0]"
    )


def test_a_distance_without_a_greatest_value() -> None:
    program = kernel("for (int i = 0; i < n; i++)\n*s = A[i];", "int n, double A[n], double *s")
    (edge,) = region_of(program, mode="memory")["edges"]
    assert edge["distances"] == [{"loop": 0, "least": 1, "greatest": None}]


def test_the_pairs_of_the_edges_are_the_relations() -> None:
    region = region_of(PROGRAM)
    pairs = [isl.UnionMap(each["pairs"]) for each in region["edges"] if each["kind"] == "flow"]
    union = pairs[0]
    for each in pairs[1:]:
        union = union.union(each)
    assert union.is_equal(isl.UnionMap(region["relations"]["flow"]))


def test_loops_with_their_verdicts() -> None:
    outer, inner, last = region_of(PROGRAM)["loops"]
    assert (outer["iterator"], outer["depth"], outer["statements"]) == ("i", 0, ["S0"])
    assert [each["parallel"] for each in (outer, inner, last)] == [False, True, False]
    assert outer["parallel_with"] is None
    assert [each["kind"] for each in outer["forbidden_by"]] == ["flow"]
    assert inner["forbidden_by"] == []
    assert last["parallel_with"] == {
        "private": [],
        "declared_inside": [],
        "not_needed_afterwards": [],
        "reassociated": [
            {"statement": "S1", "operator": "+", "array": "s", "tags": last_tags(last)}
        ],
    }
    assert {each["reduction"] for each in last["forbidden_by"]} == {"+"}


def last_tags(loop: dict[str, Any]) -> list[str]:
    return sorted({each["source"]["tag"] for each in loop["forbidden_by"]})


def test_sets_components_and_dead_code() -> None:
    body = "for (int t = 0; t < n; t++) {\nB[t] = A[t];\n*s = t; }"
    region = region_of(kernel(body, "int n, double A[n], double B[n], double *s"))
    assert isl.Set(region["live_in"]["A"]).is_equal(isl.Set("[n] -> { A[x] : 0 <= x < n }"))
    assert set(region["live_out"]) == {"B", "s"}
    assert region["components"] == [["S0"], ["S1"]]
    (dead,) = region["dead"]
    assert dead["statement"] == "S1"
    instances = isl.Set(dead["instances"]).intersect(isl.Set("[n] -> { S1[t] : 0 <= t < n }"))
    assert instances.is_equal(isl.Set("[n] -> { S1[t] : 0 <= t < n - 1 }"))
