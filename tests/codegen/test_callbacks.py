"""Callbacks see each loop and each statement, where it stands."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright.codegen.build import Build
from loopwright.codegen.expressions import access, expression
from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions
from loopwright.model.expressions import expression_text
from loopwright.model.loop_ast import Block, For, Mark, Node, User, walk

NEST = isl.UnionMap("[n] -> { S[i, j] -> [2i, j, 0] : 0 <= i < n and 0 <= j <= i }")


def test_before_a_loop_its_iterator_is_known_and_afterwards_it_is_not() -> None:
    seen: list[tuple[str, ...]] = []

    def before(build: Build) -> int:
        seen.append(build.iterators)
        return len(build.iterators)

    def after(loop: For, build: Build) -> Node:
        seen.append(build.iterators)
        return Mark(f"depth {loop.annotation}", loop)

    ast = generate(NEST, options=AstOptions(before_each_loop=before, after_each_loop=after))
    assert seen == [("c0",), ("c0", "c1"), ("c0",), ()]
    marks = [node.name for node in walk(ast.root) if isinstance(node, Mark)]
    assert marks == ["depth 1", "depth 2"]


def test_at_a_statement_instance_and_schedule_are_in_terms_of_the_iterators() -> None:
    texts: list[str] = []

    def at(statement: User, build: Build) -> Node:
        element = isl.PwMultiAff("[n] -> { S[i, j] -> A[i, n - j] }")
        time = isl.PwAff("[n] -> { [a, b, c] -> [a] }")
        texts.append(expression_text(access(element, build)))
        texts.append(expression_text(expression(time, build)))
        return Block((statement, statement))

    ast = generate(NEST, options=AstOptions(at_each_statement=at))
    assert texts == ["A[c0][n - c1]", "2 * c0"]
    assert ast.to_c().count("S(c0, c1);") == 2


def test_an_access_is_specialised_to_its_place() -> None:
    wrapped = isl.PwMultiAff("[n] -> { S[i] -> A[n - 1] : i = 0; S[i] -> A[i - 1] : i > 0 }")
    texts: list[str] = []

    def at(statement: User, build: Build) -> Node:
        texts.append(expression_text(access(wrapped, build)))
        return statement

    times = isl.UnionMap("[n] -> { S[i] -> [i] : 1 <= i < n }")
    generate(times, options=AstOptions(at_each_statement=at))
    assert texts == ["A[c0 - 1]"]


def test_what_is_no_node_is_refused() -> None:
    options = AstOptions(at_each_statement=lambda _statement, _build: None)  # pyright: ignore
    with pytest.raises(TypeError, match="at_each_statement has to return a node"):
        generate(NEST, options=options)


def test_a_function_of_another_statement_is_refused() -> None:
    def at(statement: User, build: Build) -> Node:
        expression(isl.PwAff("{ T[i] -> [i] }"), build)
        return statement

    with pytest.raises(ValueError, match="stands at the statement"):
        generate(NEST, options=AstOptions(at_each_statement=at))
