"""``auto``: the scheduler fills in a component, and the rest of the script goes on from there."""

from __future__ import annotations

import pytest

from loopwright import InputError
from loopwright.scripting import run_script

from .regions import code_after, positions_after, region

PROGRAM = """
for (int i = 0; i < N; i++)
  for (int j = 0; j < N; j++)
    First: A[j][i] = 2 * B[j][i];
for (int i = 1; i < N; i++) {
  for (int j = 1; j < N; j++)
    Left: A[i][j] += A[i][j - 1];
  for (int j = 1; j < N; j++)
    Up: B[i][j] += A[i - 1][j];
}
B[0][0] = 7;
"""


def test_the_scheduler_orders_a_nest_alone() -> None:
    before, after = (code_after(region(PROGRAM), each) for each in ("", "auto(First)"))
    assert before.partition("Left")[2] == after.partition("Left")[2]


def test_what_stands_behind_moves_along() -> None:
    """The two parts of the second nest may become two nests, or one loop."""
    positions = positions_after(region(PROGRAM), "L = lift(Left, 1)\nauto(L)")
    last = positions["S0"][0]
    assert positions["First"] == [(0,) * len(last)]
    assert all(0 < each[0] < last[0] for name in ("Left", "Up") for each in positions[name])
    assert run_script(region(PROGRAM), "L = lift(Left, 1)\nauto(L)").tree is not None


def test_outer_loops_can_stay() -> None:
    script = "auto(Up, 1)\nreverse(Up, 1)\nreverse(Up, 1)"
    code = code_after(region(PROGRAM), script)
    assert code == code_after(region(PROGRAM), "auto(Up, 1)")
    assert run_script(region(PROGRAM), script).tree is not None


def test_names_of_parts_stay() -> None:
    both = run_script(region(PROGRAM), "L = lift(Left, 1)\nauto(L)\nshift(Up, 1, 5)")
    assert both.tree is not None


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("auto(Left)", "Up is in the same loop"),
        ("auto(Left, 9)", "there is no loop number 9"),
        ("L = lift(Left, 0)\nauto(L, 1)", "does not share 1 loops"),
        ("auto(Left, 1, 2)", "do not fit"),
        ("auto(Left, First)", "do not fit"),
    ],
)
def test_what_cannot_be_filled(script: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        code_after(region(PROGRAM), script)


def test_what_stands_in_other_loops_stays() -> None:
    """The two inner loops of the first nest become one; the third one of the second stays third."""
    loop = "  for (int j = 0; j < N; j++)\n"
    first = f"{loop}    P: A[i][j] = 2;\n{loop}    Q: A[i][j] += 1;\n"
    second = "".join(f"{loop}    {each}: B[i][j] += 1;\n" for each in "RST")
    nests = "".join(f"for (int i = 0; i < N; i++) {{\n{each}}}\n" for each in (first, second))
    positions = positions_after(region(nests), "X = lift(P, 1)\nauto(X, 1)")
    assert {name: each[:2] for name, (each,) in positions.items()} == {
        "P": (0, 0),
        "Q": (0, 0),
        "R": (1, 0),
        "S": (1, 1),
        "T": (1, 2),
    }
