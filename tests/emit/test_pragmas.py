"""Marks become pragmas in front of the loops that they are about, and of no others."""

from __future__ import annotations

import re

import pytest

from loopwright.emit.placement import Move, Placed
from loopwright.emit.pragmas import Pragma, Reduced, with_pragmas
from loopwright.model.expressions import Constant, Identifier, Operation, Operator
from loopwright.model.loop_ast import Block, For, If, Mark, Node, User
from loopwright.model.pragma_marks import INSIDE
from tests.optimize.checking import SHAPES, always_parallel, optimized

EMPTY = Block(())
SIMD = Pragma("omp simd")


def loop(body: Node = EMPTY, *, is_degenerate: bool = False) -> For:
    return For("i", Constant(0), Constant(9), 1, body, is_degenerate=is_degenerate)


def loop_notes(node: Node) -> list[object]:
    """What the loops say, outermost first."""
    match node:
        case For(body=body, annotation=annotation):
            return [annotation, *loop_notes(body)]
        case If(then=then, otherwise=otherwise):
            rest = loop_notes(otherwise) if otherwise is not None else []
            return [*loop_notes(then), *rest]
        case Block(children=children):
            return [each for child in children for each in loop_notes(child)]
        case Mark(body=body):
            return loop_notes(body)
        case _:
            return []


def test_only_the_outermost_loop_inside_a_mark_takes_the_pragma() -> None:
    assert loop_notes(with_pragmas(Mark("omp simd", loop(loop())), {})) == [SIMD, None]


def test_all_loops_side_by_side_take_it() -> None:
    both = Mark("omp simd", Block((loop(), loop(loop()))))
    assert loop_notes(with_pragmas(both, {})) == [SIMD, SIMD, None]


def test_conditions_do_not_matter() -> None:
    condition = Operation(Operator.LESS_OR_EQUAL, (Identifier("n"), Constant(3)))
    both = Mark("omp simd", If(condition, loop(), loop()))
    assert loop_notes(with_pragmas(both, {})) == [SIMD, SIMD]


def test_a_loop_that_runs_once_takes_none_and_nobody_takes_its_place() -> None:
    once = loop(loop(), is_degenerate=True)
    assert loop_notes(with_pragmas(Mark("omp simd", once), {})) == [None, None]


def test_nothing_further_inside_is_meant_where_the_loop_is_gone() -> None:
    gone = Mark("omp simd", Mark(INSIDE, loop()))
    assert loop_notes(with_pragmas(gone, {})) == [None]


def test_a_mark_inside_a_mark_is_about_its_own_loops() -> None:
    nested = Mark("omp parallel for", loop(Mark(INSIDE, loop(Mark("omp simd", loop())))))
    assert loop_notes(with_pragmas(nested, {})) == [Pragma("omp parallel for"), None, SIMD]


def test_more_may_be_known_about_a_mark() -> None:
    known = {"omp parallel for #1": Pragma("omp parallel for schedule(dynamic)", (Constant(7),))}
    marked = Block((Mark("omp parallel for #1", loop()), Mark("omp simd", loop())))
    assert loop_notes(with_pragmas(marked, known)) == [known["omp parallel for #1"], SIMD]


def test_other_marks_stay_and_hide_nothing() -> None:
    found = with_pragmas(Mark("omp simd", Mark("kernel", loop())), {})
    assert isinstance(found, Mark)
    assert found.name == "kernel"
    assert loop_notes(found) == [SIMD]


def test_statements_stay_as_they_are() -> None:
    statement = User(Operation(Operator.CALL, (Identifier("S0"),)))
    assert with_pragmas(Mark("omp simd", statement), {}) is statement


# --- in the text ----------------------------------------------------------------------------------


def emitted(region: str) -> str:
    """The new text of a region over two matrices and a vector."""
    return optimized(
        "void f(int n, int m, double A[n][m], double B[n][m], double x[n]) {\n"
        f"#pragma scop\n{region}\n#pragma endscop\n}}\n",
        SHAPES[0],
    ).code


def test_few_iterations_run_in_one_thread() -> None:
    text = emitted("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = 1;")
    (pragma,) = re.findall(r"#pragma omp parallel for.*", text)
    # As a floating-point number no product of sizes is too large.
    assert re.fullmatch(r"#pragma omp parallel for if\(1\.0 \* [nm] \* [nm] >= \d+\)", pragma)
    assert always_parallel(pragma).endswith(">= -1e300)")


def test_unequal_iterations_are_handed_out_as_threads_become_free() -> None:
    text = emitted("for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) A[i][j] = 1;")
    assert "#pragma omp parallel for schedule(dynamic) if(" in text


@pytest.mark.parametrize(
    "region",
    [
        "for (int i = 1; i < n; i++) x[i] = x[i - 1];",
        "for (int i = 0; i < n; i++) x[0] += x[i];",
    ],
)
def test_what_goes_from_iteration_to_iteration_has_no_pragma(region: str) -> None:
    assert "#pragma omp" not in emitted(region)


def test_a_pragma_stands_directly_in_front_of_its_loop() -> None:
    text = emitted("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = 2 * B[i][j];")
    lines = [line.strip() for line in text.splitlines()]
    pragmas = [at for at, line in enumerate(lines) if line.startswith("#pragma omp")]
    assert pragmas
    assert all(lines[at + 1].startswith("for (") for at in pragmas)


# --- reductions -----------------------------------------------------------------------------------


def step(scalars: tuple[tuple[str, str], ...]) -> User:
    """A statement S0 that gathers in what R0 names."""
    call = Operation(Operator.CALL, (Identifier("S0"),))
    return User(call, Placed("S0", (), (), scalars=scalars))


def load(name: str) -> User:
    call = Operation(Operator.CALL, (Identifier("move"),))
    return User(call, Move(name, "x", (), "load"))


def pragma_of(body: Node, variable: str = "") -> object:
    reduced = Reduced("+", variable, "S0", frozenset({"R0"}))
    known = {"omp simd #0": Pragma("omp simd", reduced=(reduced,))}
    loop = For("i", Constant(0), Constant(1), 1, body)
    new = with_pragmas(Mark("omp simd #0", loop), known)
    assert isinstance(new, For)
    return new.annotation


def test_a_reduction_names_the_variables_that_stand_for_elements() -> None:
    steps = Block((step((("R0", "x_0"),)), step((("R0", "x_1"),))))
    assert pragma_of(steps) == Pragma("omp simd reduction(+:x_0, x_1)")
    assert pragma_of(step(()), "s") == Pragma("omp simd reduction(+:s)")


def test_there_is_no_pragma_without_a_variable_from_outside_the_loop() -> None:
    assert pragma_of(step(())) is None
    assert pragma_of(Block((load("x_0"), step((("R0", "x_0"),))))) is None
