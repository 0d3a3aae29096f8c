"""Where statements and the names of components are after a step."""

from __future__ import annotations

import pytest

from loopwright import InputError
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.script.timetable import tree_of

from .regions import code_after, positions_after, region, run_on
from .test_figures import FIGURE_4

TWO = """
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j++)
    L: A[i][j] = 1;
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j++)
    M: B[i][j] = 2;
"""
BLOCKS = {"L1": {"L1", "S0"}, "L2": {"L2", "S1"}, "L3": {"L3", "S2"}}


@pytest.mark.parametrize(
    "script",
    [
        "realign(L1, L2, 0)",
        "realign(L1, L2, 1)",
        "realign(L2, L3, 0)",
        "affine(L2, {[i,j] -> [i,j/32,j%32]})",
        "affine(L3, {[i] -> [i/8,i%8]})",
        "(P, Q) = isplit(L1, {[i,j] : j < 8}, 0)",
        "(P, Q) = isplit(L2, {[i,j] : j < 8}, 1)",
        "(P, Q) = isplit(L3, {[i,j] : j < 8}, 2)",
    ],
)
def test_names_go_along_with_their_statements(script: str) -> None:
    table = run_on(region(FIGURE_4), script).table
    for name, statements in BLOCKS.items():
        places = {each.positions for each in table.pieces if each.statement in statements}
        assert table.components[name] == places


def test_what_stands_behind_a_split_component_moves_down() -> None:
    script = "(P, Q) = isplit(L2, {[i,j] : j < 8}, 1)"
    table = run_on(region(FIGURE_4), script).table
    assert positions_after(region(FIGURE_4), script) == {
        "L1": [(0, 0, 0)],
        "S0": [(0, 0, 1)],
        "L2": [(1, 0, 0), (1, 1, 0)],
        "S1": [(1, 0, 1), (1, 1, 1)],
        "L3": [(1, 2, 0)],
        "S2": [(1, 2, 1)],
    }
    assert table.components["P"] == {(1, 0, 0), (1, 0, 1)}
    assert table.components["Q"] == {(1, 1, 0), (1, 1, 1)}


def test_what_stands_between_the_parts_of_a_split_component_moves_down_too() -> None:
    between = "(P, Q) = isplit(L, {[i] : i < 8}, 0)\nrealign(P, M, 2)"
    assert positions_after(region(TWO), between)["M"] == [(0, 0, 1)]
    again = f"{between}\n(R, S) = isplit(L, {{[i] : i < 9}}, 0)"
    assert positions_after(region(TWO), again)["M"] == [(1, 0, 1)]


def test_a_part_without_instances_is_nowhere() -> None:
    script = "(P, Q) = isplit(L, {[i] : i >= 0}, 0)"
    assert positions_after(region(TWO), script) == {"L": [(0, 0, 0)], "M": [(2, 0, 0)]}
    backwards = f"{script}\naffine(Q, {{[i] -> [-i]}})"
    assert code_after(region(TWO), backwards) == code_after(region(TWO))


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("realign(M, L, 0)", "the second component does not follow the first"),
        ("realign(L, M, 3)", "there is no loop number 3"),
        ("realign(L, M, -1)", "there is no loop number -1"),
        ("X = lift(L, 3)", "there is no loop number 3"),
        ("(P, Q) = isplit(L, {[i] : i < 8}, 3)", "there is no loop number 3"),
        ("(P, Q) = isplit(L, {[i,j,k] : i < 8}, 0)", "the condition is about 3"),
        ("affine(L, {[i] -> [j] : j = i or j = 0})", "this is not a function"),
        ("affine(L, {[i] -> [i] : i > 3})", r"says nothing about iteration \[0\] of L"),
        ("affine(L, {[i,j] -> [i,j] : j > 3})", r"says nothing about iteration \[0, 0\] of L"),
        ("tile(L, 2, 2, 2)", "3 sizes are too many"),
        ("tile(L, 2147483648)", "2147483648 is no size"),
        ("reverse(L, 3)", "there is no loop number 3"),
        ("reverse(L, 0)", "there is no loop number 0"),
        ("skew(L, 1, 2, 3, 4)", "these arguments do not fit"),
        ("tile(L)", "these arguments do not fit"),
    ],
)
def test_what_is_not_possible(script: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        run_on(region(TWO), script)


def test_names_in_an_operation_are_its_own() -> None:
    script = (
        "P = lift(L, 1)\ndef turn(l):\n  P = lift(l, 1)\n  reverse(P, 2)\nturn(M)\nreverse(P, 1)"
    )
    code = code_after(region(TWO), script)
    assert "L(-c0, c1)" in code
    assert "M(c0, -c1)" in code


def test_what_runs_once_is_in_no_loop() -> None:
    tree = tree_of(run_on(region(f"{TWO}A[0][0] = 7;"), "").table)
    assert len(bands_of(tree)) == 4
