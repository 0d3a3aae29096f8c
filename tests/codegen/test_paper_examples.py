"""The worked examples of the papers on generation, with the code that they print."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright.codegen.build import Build
from loopwright.codegen.combining import hoisted_guard
from loopwright.codegen.expressions import condition
from loopwright.codegen.generation import generate
from loopwright.codegen.grafts import Graft
from loopwright.codegen.isolation import parts_around
from loopwright.codegen.leaves import statements
from loopwright.codegen.options import AstOptions, LoopType
from loopwright.codegen.separation import separated
from loopwright.codegen.shifts import without_shifts
from loopwright.codegen.single_values import single_value
from loopwright.codegen.stock import first_stock
from loopwright.codegen.strides import stride_of
from loopwright.codegen.tasks import Member, Task
from loopwright.model.expressions import expression_text
from loopwright.model.loop_ast import Block, For, If, LoopAst, Mark, Node
from loopwright.polyhedra.levels import projected
from tests.codegen.oracle import check, complaint, expected
from tests.codegen.paper import figures, mappings, section5
from tests.codegen.paper.examples import Example, rewritten
from tests.codegen.paper.printed_loops import loops_from_text, normal_text, visits

EXAMPLES = (*section5.EXAMPLES, *figures.EXAMPLES, *mappings.EXAMPLES)
BODY = "// body"


def generated(example: Example) -> LoopAst:
    context = isl.Set(example.context)
    return generate(example.input(), context=context, options=example.options)


def without_bodies(node: Node) -> Node:
    """Nothing inside the marks: the paper prints a comment."""
    match node:
        case Mark(name):
            return Mark(name, Block(()))
        case For():
            body = without_bodies(node.body)
            return For(node.iterator, node.start, node.condition, node.step, body)
        case If(condition, then, otherwise):
            rest = None if otherwise is None else without_bodies(otherwise)
            return If(condition, without_bodies(then), rest)
        case Block(children):
            return Block(tuple(without_bodies(child) for child in children))
        case _:
            return node


def by_name(example: Example) -> str:
    return example.name


with_code = pytest.mark.parametrize("example", EXAMPLES, ids=by_name)
with_whole_code = pytest.mark.parametrize(
    "example", [example for example in EXAMPLES if BODY not in example.printed], ids=by_name
)
with_misprints = pytest.mark.parametrize(
    "example", [example for example in EXAMPLES if example.misprints], ids=by_name
)


@with_code
def test_code_is_that_of_the_paper(example: Example) -> None:
    expected = rewritten(example.printed, example.misprints + example.rewritings)
    ours = LoopAst(without_bodies(generated(example).root)).to_c()
    assert normal_text(ours) == normal_text(expected)


@with_code
def test_generated_code_does_what_the_schedule_says(example: Example) -> None:
    ast = generated(example)
    for values in example.sizes:
        check(example.input(), values, ast)


@with_whole_code
def test_code_of_the_paper_does_what_the_schedule_says(example: Example) -> None:
    text = rewritten(example.printed, example.misprints)
    assert first_complaint(text, example) is None


@with_whole_code
def test_rewritings_change_nothing(example: Example) -> None:
    text = rewritten(example.printed, example.misprints)
    before = loops_from_text(text).root
    after = loops_from_text(rewritten(text, example.rewritings)).root
    for values in example.sizes:
        assert list(visits(before, values)) == list(visits(after, values)), values


@with_misprints
def test_misprints_are_wrong_as_printed(example: Example) -> None:
    """Each of them: with all others mended, the text cannot be read or runs something else."""
    for misprint in example.misprints:
        others = tuple(other for other in example.misprints if other is not misprint)
        assert first_complaint(rewritten(example.printed, others), example) is not None


def first_complaint(text: str, example: Example) -> str | None:
    """What is wrong with loops in C, at the first of the sizes where something is."""
    try:
        root = loops_from_text(text).root
    except AssertionError as error:
        return str(error)
    schedule = example.input()
    wrong = (
        complaint(list(visits(root, values)), expected(schedule, values))
        for values in example.sizes
    )
    return next(filter(None, wrong), None)


# --- facts on the way to the code ---------------------------------------------------------------


def same(ours: isl.Set, printed: str) -> bool:
    return ours.is_equal(isl.Set(printed))


def test_example_5_1_projections() -> None:
    hidden = isl.Set(
        "[N] -> { [t] : exists a : a >= -1 + t and 2a >= 1 + t and a <= t and 4a <= N + 2t }"
    )
    exact, fast = projected(hidden, 0, exact=True), projected(hidden, 0)
    six = "[N] -> { [t] : (t >= 3 and 2t <= 4 + N) or (t <= 2 and t >= 1 and 2t <= N) }"
    seven = "[N] -> { [t] : 2t <= 4 + N and N >= 2 and t >= 1 }"
    assert same(exact, six)
    assert same(fast, seven)
    assert same(fast.subtract(exact), "[N] -> { [2] : 2 <= N <= 3 }")


def test_example_5_2_projection() -> None:
    domain = isl.Set("{ [i] : 3*floor((i + 1)/3) <= i and i >= 0 and i <= 3 }")
    assert same(projected(domain, 0), "{ [i] : i >= 0 and i <= 3 }")


def test_example_5_3_stride() -> None:
    domain = isl.Set(
        """[n, m] -> { [i] : exists a, b : 0 <= i <= 100 and n - i + 6a = 0
             and m - i + 10b = 0 }"""
    )
    stride = stride_of(domain, 0)
    assert stride is not None
    assert stride.step == 30
    # Any offset that is the same modulo 30 will do, where the two strides meet at all.
    difference = stride.offset.sub(isl.Aff("[n, m] -> { [] -> [(-5n + 6m)] }"))
    modulo = isl.Set.from_basic_set(difference.mod_val(isl.Val(30)).zero_basic_set())
    assert isl.Set("[n, m] -> { [] : (m - n) mod 2 = 0 }").is_subset(modulo)
    nineteen = "[n, m] -> { [i] : 0 <= i <= 100 and 2*floor((m - n)/2) = m - n }"
    assert same(projected(domain, 0), nineteen)


def test_example_5_4_single_value() -> None:
    values = isl.Set("[n] -> { [i] : i >= 1 and n - 1 <= i <= n and 4*floor((i - 2)/4) = i - 2 }")
    bounds = isl.BasicSet("[n] -> { [i] : i >= 1 and n - 1 <= i <= n }")
    value = single_value(bounds, stride_of(values, 0), values)
    assert value is not None
    printed = isl.Aff("[n] -> { [] -> [(4*floor((n + 2)/4) - 2)] }")
    there = isl.Set("[n] -> { [] : n >= 2 and 4*floor(n/4) <= n - 2 }")
    assert there.is_subset(isl.Set.from_basic_set(value.eq_basic_set(printed)))


def test_example_5_10_separation() -> None:
    parts = separated([isl.Set("[M] -> { [0] }"), isl.Set("[M] -> { [i] : 0 <= i <= M }")])
    printed = (
        "[M] -> { [0] : M <= -1 }",
        "[M] -> { [0] : M >= 0 }",
        "[M] -> { [i] : 1 <= i <= M }",
    )
    assert len(parts) == len(printed)
    for text in printed:
        assert any(same(part, text) for part in parts), text


def test_example_5_13_parts() -> None:
    domain = isl.Set("[m, n] -> { [t] : m - 3 <= t <= n - 1 and n > m }")
    isolated = isl.Set("[m, n] -> { [t] : m <= t and t + 3 < n }")
    everything = isl.Set("[m, n] -> { [] }")
    parts = parts_around(domain, isolated, everything, is_last=True, merge=False)
    printed = (
        "[m, n] -> { [t] : n >= 4 + m and t <= m - 1 }",
        "[m, n] -> { [t] : m <= t and t + 3 < n }",
        "[m, n] -> { [t] : n >= 4 + m and t >= n - 3 }",
        "[m, n] -> { [t] : m - 3 <= t <= n - 1 and n <= m + 3 and n >= m + 1 }",
    )
    for (part, _), text in zip(parts, printed, strict=True):
        assert part.is_equal(isl.Set(text).intersect(domain)), text
    assert [is_isolated for _, is_isolated in parts] == [False, True, False, False]


def test_example_5_16_shifts() -> None:
    """The differences are odd (the paper prints "t mod 2 = 0"), so that m = 2 and r = 1."""
    executed = (
        isl.Map("{ [t] -> A[i] : t = 2i and 0 <= i < 10 }"),
        isl.Map("{ [t] -> B[i] : t = 2i + 1 and 0 <= i < 10 }"),
    )
    member = Member(LoopType.DEFAULT, LoopType.DEFAULT)
    shifted, task = without_shifts(executed, 0, Task((member,), statements))
    assert len(task.members) == 2
    assert shifted[0].is_equal(isl.Map("{ [t, 0] -> A[i] : t = 2i and 0 <= i < 10 }"))
    assert shifted[1].is_equal(isl.Map("{ [t, 1] -> B[i] : t = 2i and 0 <= i < 10 }"))


def test_example_5_17_hoisting() -> None:
    guards = ("t <= 6", "t >= 2", "t >= 2")
    enforced = ("t >= 2", "t <= 5", "t <= 8")
    grafts = [
        Graft(Block(()), isl.Set(f"{{ [t] : {g} }}"), isl.Set(f"{{ [t] : {f} }}"))
        for g, f in zip(guards, enforced, strict=True)
    ]
    outside = first_stock(isl.Set("{ : }"), "c{}".format, AstOptions())
    stock = outside.inside_loop(isl.Set("{ [t] : 1 <= t <= 8 }"), isl.Set("{ [t] }"))
    assert same(hoisted_guard(grafts, stock), "{ [t] : t >= 2 }")


def test_example_5_20_remainder() -> None:
    """With n >= 2 known, and without: ``%`` needs a dividend that is not negative."""
    known = isl.Set("[n] -> { [] : n >= 2 }")
    build = Build((), known, isl.MultiAff("[n] -> { [] -> [] }"), AstOptions())
    remainder = isl.Set("[n] -> { [] : n - 4*floor(n/4) >= 2 }")
    assert expression_text(condition(remainder, build)) == "n % 4 >= 2"
