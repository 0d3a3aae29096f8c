"""Code generation for multiple mappings, and overhead that is lifted out of loops."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import islpy as isl
import pytest

from loopwright.codegen.generation import generate
from loopwright.codegen.interpretation import executed_quality
from loopwright.codegen.options import AstOptions, LoopType, Strategy
from loopwright.codegen.overhead import overhead_depth, overheads
from loopwright.codegen.quality import static_quality
from loopwright.model.expressions import Constant, Expr, Identifier, Operation, Operator, operation
from loopwright.model.loop_ast import Block, For, If, LoopAst, Mark, Node, User, walk

from .laws import generated_by_isl, lifted, mapped, verdict
from .oracle import check, expected
from .paper.mappings import FIGURE_3
from .random_mappings import seeded_mappings
from .random_trees import Case, seeded_case
from .test_inputs import chunk_of

CHUNKS = 8
PER_CHUNK = 3
FIRST_SEED = 19_950_101


def deepest(node: Node, loops: int = 0) -> int:
    """How many loops are around the deepest test, minimum or maximum; -1 if there is none.

    Written again, so that the generator and its check do not share a mistake.
    """
    found = [-1]
    match node:
        case For():
            ends = [node.start, node.condition]
            is_deciding = any(map(decides, ends)) or is_conjunction(node.condition)
            found.append(loops if is_deciding else -1)
            found.append(deepest(node.body, loops if node.is_degenerate else loops + 1))
        case If(then=then, otherwise=otherwise):
            found += [loops, deepest(then, loops)]
            found += [] if otherwise is None else [deepest(otherwise, loops)]
        case Block(children=children):
            found += [deepest(child, loops) for child in children]
        case Mark(body=body):
            found.append(deepest(body, loops))
        case User(statement=statement):
            found.append(loops if decides(statement) else -1)
    return max(found)


def decides(expression: Expr) -> bool:
    """Is there anything to decide in a value?"""
    if not isinstance(expression, Operation):
        return False
    names = {"min", "max", "?:", "eager ?:"}
    return expression.operator.value in names or any(map(decides, expression.operands))


def is_conjunction(expression: Expr) -> bool:
    return isinstance(expression, Operation) and expression.operator.value in {"&&", "&"}


def statements_in(case: Case) -> int:
    """How many statements run at all."""
    schedule = case.schedule()
    assert isinstance(schedule, isl.UnionMap)
    inside = schedule.intersect_params(case.context_set())
    return 0 if inside.is_empty() else inside.domain().get_set_list().n_set()


# --- the laws ---------------------------------------------------------------------------------


def generators(case: Case) -> dict[str, tuple[Callable[[Case], LoopAst], int | None]]:
    """All ways to generate the loops, and how deep overhead may then be."""
    found: dict[str, tuple[Callable[[Case], LoopAst], int | None]] = {
        "initial": (mapped, None),
        "isl": (generated_by_isl, None),
    }
    start = deepest(mapped(case).root)
    for depth in {max(start - 1, 0), max(start - 2, 0)}:
        found[f"k = {depth}"] = partial(mapped, depth=depth), depth
        found[f"post-pass, k = {depth}"] = partial(lifted, depth=depth), depth
    return found


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_laws_1_and_2_on_random_mappings(chunk: int) -> None:
    """And after removal at depth k, no overhead is left inside more than k loops."""
    first = FIRST_SEED + chunk * PER_CHUNK
    for seed in range(first, first + PER_CHUNK):
        case = seeded_mappings(seed)
        for name, (generator, depth) in generators(case).items():
            made: list[LoopAst] = []

            def kept(given: Case, generator=generator, made=made) -> LoopAst:
                made.append(generator(given))
                return made[0]

            found = verdict(case, kept)
            assert found.is_fine, f"seed {seed}, {name}: {found.kind}\n{case}\n\n{found.detail}"
            if depth is not None:
                assert deepest(made[0].root) <= depth, f"seed {seed}, {name}\n{case}\n\n{made[0]}"


def test_the_initial_code_has_one_copy_of_each_statement() -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + 60):
        case = seeded_mappings(seed)
        assert static_quality(mapped(case)).copies == statements_in(case), f"seed {seed}\n{case}"


@pytest.mark.parametrize("chunk", range(4))
def test_law_1_on_random_trees(chunk: int) -> None:
    first = FIRST_SEED + 100 + chunk * 5
    for seed in range(first, first + 2):
        case = seeded_case(seed)
        depth = seed % 3
        for name, generator in {
            "initial": mapped,
            f"k = {depth}": lambda each, depth=depth: mapped(each, depth),
            f"post-pass, k = {depth}": lambda each, depth=depth: lifted(each, depth),
        }.items():
            found = verdict(case, generator)
            assert found.is_fine, f"seed {seed}, {name}: {found.kind}\n{case}\n\n{found.detail}"


@pytest.mark.parametrize("chunk", range(0, 16, 2))
def test_law_1_on_the_inputs_of_the_benchmark(chunk: int) -> None:
    for given, sizes, due in chunk_of(chunk):
        ast = generate(given.schedule(), context=given.context_set(), strategy="mappings")
        check(given.schedule(), sizes, ast, wanted=due, about=f"{given.name}, mappings")


# --- blocked LU ---------------------------------------------------------------------------------

GOLDEN = Path(__file__).parent / "paper" / "blocked-lu-k2.c"


def in_small_blocks(block: int = 4) -> isl.UnionMap:
    """The mapping of Figure 3 in blocks that are small enough to run all cases."""
    schedule = FIGURE_3.schedule.replace("64", str(block))
    return isl.UnionMap(schedule).intersect_domain(isl.UnionSet(FIGURE_3.domain))


def test_blocked_lu_with_k_2() -> None:
    """The paper has only numbers of this code: 5352 bytes, of 712 before."""
    ast = generate(FIGURE_3.input(), strategy="mappings", max_overhead_depth=2)
    assert ast.to_c() == GOLDEN.read_text()
    assert deepest(ast.root) == 2


@pytest.mark.parametrize("depth", [None, 4, 3, 2, 1, 0])
def test_blocked_lu_in_small_blocks(depth: int | None) -> None:
    schedule = in_small_blocks()
    ast = generate(schedule, strategy="mappings", max_overhead_depth=depth)
    assert deepest(ast.root) <= (4 if depth is None else depth)
    for size in range(15):
        check(schedule, {"n": size}, ast)


def test_less_is_tested_with_each_k_and_there_are_more_copies() -> None:
    codes = [
        generate(in_small_blocks(16), strategy="mappings", max_overhead_depth=depth)
        for depth in (4, 3, 2)
    ]
    control = [executed_quality(ast, {"n": 40}).control for ast in codes]
    copies = [static_quality(ast).copies for ast in codes]
    assert control == sorted(control, reverse=True)
    assert control[0] > 3 * control[2]
    assert copies == sorted(copies)
    assert copies[0] == 2


# --- remainders ---------------------------------------------------------------------------------

EVEN_AND_ODD = "[n] -> { A[i] -> [2i] : 0 <= i < n; B[i] -> [2i + 1] : 0 <= i < n }"


def test_strides_that_do_not_fit_together() -> None:
    initial = generate(isl.UnionMap(EVEN_AND_ODD), strategy="mappings")
    assert initial.to_c() == (
        "if (n >= 1)\n"
        "  for (int c0 = 0; c0 < 2 * n; c0 += 1)\n"
        "    if (c0 % 2 == 0) {\n"
        "      A(c0 / 2);\n"
        "    } else\n"
        "      B((c0 + 1) / 2 - 1);\n"
    )
    alternating = generate(isl.UnionMap(EVEN_AND_ODD), strategy="mappings", max_overhead_depth=0)
    assert alternating.to_c() == (
        "if (n >= 1)\n"
        "  for (int c0 = 0; c0 < 2 * n - 1; c0 += 2) {\n"
        "    A(c0 / 2);\n"
        "    B(c0 / 2);\n"
        "  }\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "[n] -> { A[i] -> [2i] : 0 <= i < n; B[i] -> [3i] : 0 <= i < n }",
        "[n] -> { A[i] -> [2i] : 0 <= i < n; B[i] -> [-3i] : 0 <= i < n;"
        " C[i] -> [6i + 1] : 0 <= i < n }",
        "[n] -> { A[i] -> [-2i] : 0 <= i < n; B[i] -> [-2i - 1] : 0 <= i < n }",
        "[n, m] -> { A[i] -> [2i + m] : 0 <= i < n; B[i] -> [2i + n] : 0 <= i < n }",
    ],
)
def test_remainders_are_written_out(text: str) -> None:
    schedule = isl.UnionMap(text)
    ast = generate(schedule, strategy="mappings", max_overhead_depth=0)
    assert deepest(ast.root) <= 0
    for size in range(12):
        check(schedule, {"n": size, "m": 5}, ast)


def test_long_periods_are_not_written_out() -> None:
    schedule = isl.UnionMap("[n] -> { A[i] -> [17i] : 0 <= i < n; B[i] -> [i] : 0 <= i < n }")
    ast = generate(schedule, strategy="mappings", max_overhead_depth=0)
    assert static_quality(ast).copies < 17
    check(schedule, {"n": 40}, ast)


# --- limits -------------------------------------------------------------------------------------


@pytest.mark.parametrize("growth", [1, 1.5, 2, 3, 8])
def test_the_code_grows_no_more_than_allowed(growth: float) -> None:
    schedule = in_small_blocks()
    ast = generate(schedule, strategy="mappings", max_overhead_depth=2, max_growth=growth)
    assert static_quality(ast).copies <= 2 * growth
    check(schedule, {"n": 13}, ast)


def test_conditions_without_or_count_as_well() -> None:
    schedule = isl.UnionMap(
        "[n, m] -> { S[i, j] -> [i, j] : 0 <= i < m and 1 <= j < m and i <= 6 and j <= 6;"
        " U[i] -> [i + n, 2i + 2] : -n <= i < n and -6 <= i <= 1 }"
    )
    options = AstOptions(strategy=Strategy.MAPPINGS, allow_or=False)
    plain = static_quality(generate(schedule, options=options)).copies
    ast = generate(schedule, options=options, overhead_depth=0, max_growth=2)
    assert static_quality(ast).copies <= 2 * plain


def test_what_cannot_be_lifted_does_not_keep_the_rest() -> None:
    """B stays, as it runs at every 17th time; C gets a loop of its own all the same."""
    schedule = isl.UnionMap(
        "[n] -> { A[i, j] -> [i, j] : 0 <= i, j < n; B[i, j] -> [i, 17j] : 0 <= i, 17j < n;"
        " C[i, j] -> [i, j] : 0 <= i < 5 and i < n and 0 <= j < n and 0 <= 17j }"
    )
    ast = generate(schedule, strategy="mappings", max_overhead_depth=1)
    inner = {test for each in overheads(ast.root) if each.depth == 2 for test in each.tests}
    assert len(inner) == 1
    check(schedule, {"n": 20}, ast)


def test_what_may_not_grow_is_as_it_was() -> None:
    schedule = in_small_blocks()
    ast = generate(schedule, strategy="mappings", max_overhead_depth=2, max_growth=1)
    assert static_quality(ast).copies == 2


def test_the_deepest_overhead_goes_first() -> None:
    """With twice the copies, that inside the innermost loop goes, or some of it, and no other."""
    schedule = in_small_blocks()
    plain = generate(schedule, strategy="mappings")
    some = generate(schedule, strategy="mappings", max_overhead_depth=0, max_growth=2)
    count = [sum(each.depth == 4 for each in overheads(ast.root)) for ast in (plain, some)]
    assert count[1] < count[0]


def test_too_few_operations_leave_the_code_as_it_was() -> None:
    schedule = in_small_blocks()
    options = AstOptions(strategy=Strategy.MAPPINGS, overhead_depth=0, max_operations=400_000)
    ast = generate(schedule, options=options)
    assert static_quality(ast).copies == 2
    check(schedule, {"n": 9}, ast)


# --- after the AST generator --------------------------------------------------------------------


def test_separate_nothing_and_lift_only_what_is_innermost() -> None:
    schedule = isl.UnionMap(
        "[n] -> { S[i, j] -> [i, j] : 0 <= i, j < n; T[i, j] -> [i, j] : 0 <= j <= i < n }"
    )
    options = AstOptions(loop_type=LoopType.ATOMIC)
    atomic = generate(schedule, options=options)
    assert (static_quality(atomic).copies, deepest(atomic.root)) == (2, 2)
    ast = generate(schedule, options=options, overhead_depth=1)
    assert ast.to_c() == (
        "for (int c0 = 0; c0 < n; c0 += 1) {\n"
        "  for (int c1 = 0; c1 <= c0; c1 += 1) {\n"
        "    S(c0, c1);\n"
        "    T(c0, c1);\n"
        "  }\n"
        "  for (int c1 = c0 + 1; c1 < n; c1 += 1)\n"
        "    S(c0, c1);\n"
        "}\n"
    )


@pytest.mark.parametrize("bound", ["j < m", "2j <= i + m"])
def test_bounds_that_are_tested_one_by_one_are_overhead(bound: str) -> None:
    schedule = isl.UnionMap(f"[n, m] -> {{ S[i, j] -> [i, j] : 0 <= i, j < n and {bound} }}")
    options = AstOptions(atomic_upper_bound=False)
    assert deepest(generate(schedule, options=options).root) == 1
    ast = generate(schedule, options=options, overhead_depth=0)
    assert deepest(ast.root) == 0
    for n in range(5):
        for m in range(5):
            check(schedule, {"n": n, "m": m}, ast)


def test_marks_and_guards_and_extensions_stay() -> None:
    tree = isl.Schedule(
        """{ domain: "[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m and j <= i }",
          child: { schedule: "[{ S[i, j] -> [(i)] }]", child: { mark: "row",
            child: { extension: "[n, m] -> { [i] -> E[i] : 0 <= i < n }", child: { sequence: [
              { filter: "{ E[i] }" },
              { filter: "{ S[i, j] }", child: { schedule: "[{ S[i, j] -> [(j)] }]" }}]}}}}}"""
    )
    for strategy in Strategy:
        ast = generate(tree, strategy=strategy, overhead_depth=0)
        assert deepest(ast.root) <= 0
        assert any(isinstance(node, Mark) and node.name == "row" for node in walk(ast.root))
        for n in range(5):
            for m in range(1, 5):
                due = expected(tree, {"n": n, "m": m}, is_definite=True)
                check(tree, {"n": n, "m": m}, ast, wanted=due)


def test_callbacks_see_what_they_replace() -> None:
    schedule = isl.UnionMap("[n, m] -> { S[i, j] -> [i, j] : 0 <= i, j < n and j < m }")

    def renamed(node: User, _: object) -> Node:
        name, *values = node.statement.operands
        assert isinstance(name, Identifier)
        return User(operation(Operator.CALL, Identifier(f"{name.name}_"), *values), "seen")

    options = AstOptions(at_each_statement=renamed, overhead_depth=0)
    ast = generate(schedule, options=options)
    users = [node for node in walk(ast.root) if isinstance(node, User)]
    assert len(users) == 2
    assert all(node.annotation == "seen" for node in users)


# --- what counts as overhead ----------------------------------------------------------------------

C0, N = Identifier("c0"), Identifier("n")
CALL = User(operation(Operator.CALL, Identifier("S"), C0))
PLAIN_END = operation(Operator.LESS, C0, N)
CHOICE = operation(
    Operator.LAZY_CONDITIONAL, operation(Operator.GREATER, N, Constant(3)), N, Constant(3)
)


@pytest.mark.parametrize(
    ("node", "depth"),
    [
        (For("c0", Constant(0), PLAIN_END, 1, CALL), None),
        (For("c0", operation(Operator.MAXIMUM, N, Constant(0)), PLAIN_END, 1, CALL), 0),
        (For("c0", CHOICE, PLAIN_END, 1, CALL), 0),
        (For("c0", Constant(0), operation(Operator.LAZY_AND, PLAIN_END, PLAIN_END), 1, CALL), 0),
        (For("c0", Constant(0), PLAIN_END, 1, If(PLAIN_END, CALL)), 1),
        (For("c0", Constant(0), PLAIN_END, 1, If(PLAIN_END, CALL), is_degenerate=True), 0),
        (
            For(
                "c0",
                Constant(0),
                PLAIN_END,
                1,
                User(operation(Operator.CALL, Identifier("S"), CHOICE)),
            ),
            1,
        ),
        (If(PLAIN_END, CALL, Mark("m", For("c0", Constant(0), PLAIN_END, 1, CALL))), 0),
    ],
)
def test_what_is_overhead(node: Node, depth: int | None) -> None:
    assert overhead_depth(LoopAst(node)) == depth
    assert deepest(node) == (-1 if depth is None else depth)


# --- misuse -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"strategy": "best"}, "best"),
        ({"overhead_depth": -1}, "overhead_depth"),
        ({"overhead_depth": True}, "overhead_depth"),
        ({"overhead_depth": 1.5}, "overhead_depth"),
        ({"max_growth": 0.5}, "max_growth"),
        ({"max_growth": float("nan")}, "max_growth"),
        ({"overhead_depth": 1, "max_overhead_depth": 2}, "the same"),
        ({"strategy": "mappings", "options": AstOptions(loop_type=LoopType.UNROLL)}, "loop types"),
        (
            {"strategy": "mappings", "options": AstOptions(isolate=isl.Set("{ [i] : i > 2 }"))},
            "isolated",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        generate(isl.UnionMap(EVEN_AND_ODD), **options)  # pyright: ignore[reportArgumentType]


def test_a_strategy_is_no_text_in_options() -> None:
    with pytest.raises(ValueError, match="no Strategy"):
        AstOptions(strategy="mappings")  # pyright: ignore[reportArgumentType]
