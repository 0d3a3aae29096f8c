"""Lemma 3's set of legal schedules, and the questions of Figure 3 on it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from random import Random

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright.interleaving import milp
from loopwright.interleaving.fusibility import Fusibility
from loopwright.interleaving.general_checks import (
    can_follow,
    is_fusable,
    must_distribute,
    must_fuse,
    vertices_of,
)
from loopwright.interleaving.legal_schedules import Coefficient, legal_schedules
from loopwright.interleaving.milp import Linear, Solver, solution_of
from loopwright.interleaving.programs import Function, Program, Relation, Row
from loopwright.polyhedra.integer_matrices import dot
from loopwright.polyhedra.lexmin import Allowance, OutOfTime
from tests.interleaving.kernels import kernel_program, program

CHECKED = ["atax", "gemver", "jacobi-1d", "mvt", "trisolv", "lu", "bicg"]

PRODUCER = """
void f(int n, double A[n], double B[n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = i;
  for (int i = 0; i < n; i++)
    B[i] = A[n - 1 - i];
#pragma endscop
}
"""


# --- the set --------------------------------------------------------------------------------------


def time(function: Function, point: Sequence[int], n: int) -> int:
    """When a function of one parameter runs an instance."""
    return dot(function.loops, point) + function.parameters[0] * n + function.constant


def pairs_for(relation: Relation, n: int) -> list[tuple[list[int], list[int]]]:
    """All pairs of a relation for one size."""
    size = isl.Val(n)
    fixed = relation.pairs.fix_val(isl.dim_type.param, 0, size)
    points: list[isl.Point] = []
    fixed.wrap().foreach_point(points.append)
    width = fixed.dim(isl.dim_type.in_)
    total = width + fixed.dim(isl.dim_type.out)
    found: list[tuple[list[int], list[int]]] = []
    for point in points:
        values = [point.get_coordinate_val(isl.dim_type.set, at).to_python() for at in range(total)]
        found.append((values[:width], values[width:]))
    return found


def is_legal(of: Program, rows: Sequence[Row], n: int) -> bool:
    """Does each source run before its sink, for one size?"""
    return all(
        [time(row[each.source], source, n) for row in rows]
        < [time(row[each.sink], sink, n) for row in rows]
        for each in of.dependences
        for source, sink in pairs_for(each, n)
    )


def meets_lemma_3(of: Program, rows: Sequence[Row], sizes: Sequence[int]) -> bool:
    """Does one row put all pairs of a kind in order, and none before it a pair out of order?

    Pairs are of two kinds: those of the only dependence that the source's loop runs forwards, and
    the others.
    """
    (relation,) = of.dependences
    for is_forwards in (True, False):
        distances = [
            [time(row[1], sink, n) - time(row[0], source, n) for row in rows]
            for n in sizes
            for source, sink in pairs_for(relation, n)
            if (source < sink) == is_forwards
        ]
        least = [min(column) for column in zip(*distances, strict=True)]
        level = next((at for at, value in enumerate(least) if value > 0), None)
        if level is None or min(least[:level], default=0) < 0:
            return False
    return True


def test_the_set_is_that_of_brute_force() -> None:
    """B needs all of A, backwards: it comes after it by n, or by a row of its own."""
    of = program(PRODUCER)
    schedules = legal_schedules(of, 2, largest=1)
    found = 0
    for values in product((0, 1), repeat=9):
        first = {
            at: Function(values[at : at + 1], values[2 + at : 3 + at], values[4 + at])
            for at in (0, 1)
        }
        second = {0: Function(values[6:7], (0,), 0), 1: Function(values[7:8], values[8:9], 1)}
        rows = [first, second]
        is_there = rows in schedules
        assert is_there == meets_lemma_3(of, rows, (1, 2, 5))
        assert not is_there or all(is_legal(of, rows, n) for n in (1, 2, 5))
        found += is_there
    assert 0 < found < 2**9


@pytest.mark.parametrize("name", ["cholesky", "gemver", "mvt", "trisolv", "lu"])
def test_what_it_finds_is_legal(name: str) -> None:
    of = kernel_program(name)
    rows = legal_schedules(of, 2 * of.depth + 1).witness()
    assert rows is not None
    assert is_legal(of, rows, 5)


def test_a_question_leaves_a_part_of_the_set() -> None:
    of = program(PRODUCER)
    schedules = legal_schedules(of, 1)
    together = [
        Linear({schedules.unknown(Coefficient(0, each, "loop", 0)): 1}, -1) for each in (0, 1)
    ]
    rows = schedules.restricted(together).witness()
    assert rows is not None
    assert rows[0][1].parameters[0] > rows[0][0].parameters[0]  # B is behind by n
    parameters = [schedules.unknown(Coefficient(0, each, "parameter", 0)) for each in (0, 1)]
    no_shift = [Linear({each: 1}, is_equality=True) for each in parameters]
    assert not schedules.restricted([*together, *no_shift]).is_feasible()


def test_a_row_may_go_back_once_all_is_in_order() -> None:
    """A loop of the source, and then its reverse: the bound on distances leaves it free."""
    of = program(
        "void f(int n, double A[n]) {\n#pragma scop\n"
        "  for (int i = 1; i < n; i++)\n    A[i] = A[i - 1];\n#pragma endscop\n}"
    )
    for step in (-1, -2):
        backwards = [{0: Function((1,), (0,), 0)}, {0: Function((step,), (0,), 0)}]
        assert backwards in legal_schedules(of, 2, least=step)
        assert backwards[::-1] not in legal_schedules(of, 2, least=step)


# --- questions ------------------------------------------------------------------------------------


def test_corners_are_functions_of_the_parameters() -> None:
    of = program(
        "void f(int n, double A[n][n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n"
        "    for (int j = 0; j <= i; j++)\n      A[i][j] = 0;\n#pragma endscop\n}"
    )
    corners = vertices_of(of.statements[0], of.context)
    assert {each.coordinates for each in corners} == {
        ((0, 0), (0, 0)),
        ((1, -1), (0, 0)),
        ((1, -1), (1, -1)),
    }


@pytest.mark.parametrize("name", CHECKED)
def test_general_and_restricted_answers_agree(name: str) -> None:
    """Statements that Definition 7 fuses, Definition 3 does; a circle has to be fused (§3.2)."""
    of = kernel_program(name)
    restricted = Fusibility(of)
    for first, second in combinations(range(len(of.statements)), 2):
        if of.statements[first].depth and of.statements[second].depth:
            if restricted.is_fusable((first, second)):
                assert is_fusable(of, first, second)
            assert must_distribute(of, first, second) != is_fusable(of, first, second)
        assert can_follow(of, second, first) == ((first, second) not in of.edges)
        assert can_follow(of, first, second) == ((second, first) not in of.edges)
        circle = {(first, second), (second, first)} <= of.edges
        assert must_fuse(of, first, second) == circle


TWO_DEEP = """
void f(int n, double A[n][n], double B[n][n], double x[n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = x[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] = A[i][j];
#pragma endscop
}
"""


def test_no_more_loops_are_shared_than_there_are() -> None:
    of = program(TWO_DEEP)
    assert [is_fusable(of, 0, 1, level) for level in range(4)] == [True, True, True, False]
    with pytest.raises(ValueError, match="-1 loops"):
        is_fusable(of, 0, 1, -1)
    with pytest.raises(ValueError, match="level 0"):
        can_follow(of, 0, 1, 0)


def test_distribution_inside_of_a_common_loop() -> None:
    """Time steps have to be shared; in each of them, either may be the first (by a shift)."""
    of = program(
        """void f(int n, double A[n], double B[n]) {
        #pragma scop
          for (int t = 0; t < 9; t++) {
            for (int i = 1; i < n - 1; i++)
              B[i] = A[i - 1] + A[i + 1];
            for (int i = 1; i < n - 1; i++)
              A[i] = B[i];
          }
        #pragma endscop
        }"""
    )
    assert must_fuse(of, 0, 1)
    assert not must_fuse(of, 0, 1, 2)
    assert can_follow(of, 0, 1, 2)
    assert can_follow(of, 1, 0, 2)
    assert not can_follow(of, 0, 1, 4)


def test_what_needs_a_loop_that_runs_backwards() -> None:
    """The first B needs the last A, which is farther away than the constants go."""
    of = program(
        PRODUCER.replace("int n, double A[n], double B[n]", "double A[9], double B[9]")
        .replace("n - 1", "8")
        .replace("i < n", "i < 9")
    )
    assert must_distribute(of, 0, 1)
    assert not must_distribute(of, 0, 1, least=-1)


def test_what_runs_once_is_not_before_and_after_something() -> None:
    of = program(
        """void f(int n, double A[n], double B[n]) {
        #pragma scop
          for (int i = 0; i < 1; i++)
            A[i] = 1;
          for (int i = 0; i < n; i++)
            B[i] = 2;
        #pragma endscop
        }"""
    )
    assert not is_fusable(of, 0, 1)
    assert is_fusable(of, 1, 0)


# --- integer programs -----------------------------------------------------------------------------

VALUES = st.integers(-4, 4)
LINEAR = st.builds(
    Linear,
    st.dictionaries(st.integers(0, 3), VALUES, min_size=1, max_size=4),
    st.integers(-6, 6),
    st.booleans(),
)


@given(st.lists(LINEAR, max_size=5), st.sampled_from(Solver))
@settings(max_examples=150, deadline=None)
def test_both_solvers_agree_with_brute_force(constraints: list[Linear], solver: Solver) -> None:
    lower, upper = [-1, 0, -2, 0], [2, 2, 1, 1]
    found = solution_of(constraints, lower, upper, Allowance(10), solver)
    box = product(*(range(low, high + 1) for low, high in zip(lower, upper, strict=True)))
    solutions = [values for values in box if all(each.holds(values) for each in constraints)]
    assert (found is None) == (not solutions)
    if found is not None:
        assert tuple(found) in solutions


def market_split(size: int, rows: int) -> list[Linear]:
    """Few equalities with large factors, which nothing but trying all values can decide."""
    chance = Random(7)
    found: list[Linear] = []
    for _ in range(rows):
        factors = [chance.randrange(100) for _ in range(size)]
        terms = dict(enumerate(factors))
        found.append(Linear(terms, -(sum(factors) // 2), is_equality=True))
    return found


@pytest.mark.parametrize("solver", Solver)
def test_no_solver_takes_longer_than_it_may(solver: Solver) -> None:
    with pytest.raises(OutOfTime):
        solution_of(market_split(50, 6), [0] * 50, [1] * 50, Allowance(1.0), solver)


@pytest.mark.parametrize("told", [None, [5, 5], [1, 1]], ids=["none", "too large", "wrong"])
def test_what_highs_tells_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, told: list[int] | None
) -> None:
    monkeypatch.setattr(milp, "_guess", lambda *_: told)
    wanted = [Linear({0: 1, 1: -1}, -1)]
    assert solution_of(wanted, [0, 0], [2, 2], solver=Solver.HIGHS) == [1, 0]
    never = [*wanted, Linear({1: 1}, -2)]
    assert solution_of(never, [0, 0], [2, 2], solver=Solver.HIGHS) is None
