"""Iterators have names that mean nothing else, wherever the schedule speaks of it."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from loopwright.codegen.build import Build
from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions
from loopwright.model.loop_ast import For, User, walk

from .oracle import check

INSTANCES = 'domain: "{ S[i] : 0 <= i < 9 }"'
LOOP = 'schedule: "[{ S[i] -> [(i)] }]"'


def inside_a_loop(*entries: str) -> str:
    """A tree with one more node, given by its entries, below a band."""
    return f"{{ {INSTANCES}, child: {{ {LOOP}, child: {{ {', '.join(entries)} }} }} }}"


TREES = {
    "domain": f'{{ domain: "[c0] -> {{ S[i] : c0 <= i < 9 }}", child: {{ {LOOP} }} }}',
    "band": f'{{ {INSTANCES}, child: {{ schedule: "[c0] -> [{{ S[i] -> [(i + c0)] }}]" }} }}',
    "options": f"{{ {INSTANCES}, child: {{ {LOOP},"
    ' options: "[c0] -> { isolate[[] -> [i]] : i <= c0 }" } }',
    "guard": inside_a_loop('guard: "[c0] -> { [i] : i <= c0 }"', 'child: { filter: "{ S[i] }" }'),
    "filter": inside_a_loop('filter: "[c0] -> { S[i] : i <= c0 }"'),
    "context": inside_a_loop(
        'context: "[c0] -> { [i] : c0 < 9 }"', 'child: { filter: "{ S[i] }" }'
    ),
    "extension": inside_a_loop(
        'extension: "[c0] -> { [i] -> c1[j] : i <= j < c0 }"',
        'child: { sequence: [ { filter: "{ c1[j] }",'
        ' child: { schedule: "[{ c1[j] -> [(j)] }]" } }, { filter: "{ S[i] }" } ] }',
    ),
    "expansion": inside_a_loop(
        'contraction: "{ c0[i, j] -> S[i] }"',
        'expansion: "[c1] -> { S[i] -> c0[i, j] : 0 <= j < c1 }"',
        'child: { schedule: "[{ c0[i, j] -> [(j)] }]" }',
    ),
}


@pytest.mark.parametrize("kind", TREES)
def test_iterators_avoid_the_names_in_every_kind_of_node(kind: str) -> None:
    tree = isl.Schedule(TREES[kind])
    ast = generate(tree)
    iterators = {node.iterator for node in walk(ast.root) if isinstance(node, For)}
    assert iterators
    assert not iterators & {"c0", "c1"}, ast.to_c()
    for value in (-1, 4):
        check(tree, {"c0": value, "c1": value}, ast)


def test_iterators_avoid_the_names_in_a_map_and_in_what_is_isolated() -> None:
    times = isl.UnionMap("[c0] -> { S[i] -> [i] : c0 <= i < 9 }")
    options = AstOptions(isolate=isl.Set("[c0_1] -> { [i] : i <= c0_1 }"))
    ast = generate(times, options=options)
    check(times, {"c0": 2, "c0_1": 5}, ast)
    assert "c0_2" in ast.to_c()


def test_a_given_name_that_is_taken_gets_a_number() -> None:
    times = isl.UnionMap("[n] -> { S[i, j] -> [i, j] : 0 <= i < n and 0 <= j < i }")
    text = generate(times, options=AstOptions(iterators=("n", "S"))).to_c()
    assert text == (
        "for (int n_1 = 1; n_1 < n; n_1 += 1)\n"
        "  for (int S_1 = 0; S_1 < n_1; S_1 += 1)\n"
        "    S(n_1, S_1);\n"
    )


DIVIDED = isl.UnionMap("[n, m] -> { S[i, j] -> [i, j] : i = 8*floor(n/8) and 0 <= j < m }")


def test_a_divided_value_that_loops_repeat_gets_a_name() -> None:
    context = isl.Set("[n] -> { : n >= 0 }")
    assert generate(DIVIDED, context=context).to_c() == (
        "{\n"
        "  const int c0 = -(n % 8) + n;\n"
        "  for (int c1 = 0; c1 < m; c1 += 1)\n"
        "    S(c0, c1);\n"
        "}\n"
    )


def test_no_name_where_a_callback_prints_something_else() -> None:
    """It has seen the value without the name, which nothing might use then."""

    def annotated(statement: User, _build: Build) -> User:
        return replace(statement, annotation="printed instead")

    ast = generate(DIVIDED, options=AstOptions(at_each_statement=annotated))
    assert [node.iterator for node in walk(ast.root) if isinstance(node, For)] == ["c1"]
