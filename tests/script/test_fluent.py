"""Scripts as Python programs: every operation of the language is a method."""

from __future__ import annotations

import pytest

from loopwright import IllegalScript, InputError, original_order, run_script
from loopwright.script.interpreter import PRIMITIVES
from loopwright.script.library import LIBRARY
from loopwright.scripted import Scripted

from .regions import region

NEST = "for (int i = 1; i < N; i++)\n  for (int j = 0; j < N; j++)\n    L: A[i][j] = A[i - 1][j];\n"
TWO = f"{NEST}for (int i = 0; i < N; i++)\n  for (int j = 0; j < N; j++)\n    M: B[i][j] = 1;\n"


def test_every_operation_is_a_method() -> None:
    assert [each for each in (*PRIMITIVES, *LIBRARY) if not hasattr(Scripted, each)] == []


def test_methods_are_lines_of_a_script() -> None:
    order = (
        original_order(region(TWO))
        .realign("L", "M", 2)
        .lift("Both", "L", 2)
        .affine("Both", "{[i,j] -> [j,i]}")
        .distribute("L", "M")
        .fuse("L", "M", 1)
        .distribute("L", "M", 0)
        .isplit("P", "Q", "M", "{[i,j] : i < j}", 1)
        .split("R", "S", "Q", 2, 8)
        .skew("L", 2, 1)
        .shift("L", 1, 3)
        .reverse("M", 1)
        .stripmine("M", 2, 4)
        .interchange("L", 1, 2)
        .interchange("L", 1, 2)
        .tile("L", 1, 8)
        .unroll("L", 3, 2)
        .unroll_and_jam("M", 1, 2)
        .parallel("M", 1)
        .vectorize("L", 1)
    )
    assert order.text.splitlines()[:3] == [
        "realign(L, M, 2)",
        "Both = lift(L, 2)",
        "affine(Both, {[i,j] -> [j,i]})",
    ]
    assert len(order.text.splitlines()) == 19
    again = run_script(order.scop, order.text) if order.scop is not None else None
    assert again is not None
    assert again.tree.plain_is_equal(order.checked().tree)


def test_steps_that_make_no_sense_are_refused_at_once() -> None:
    order = original_order(region(NEST))
    with pytest.raises(InputError, match="LW812"):
        order.reverse("X", 1)
    with pytest.raises(InputError, match="LW814"):
        order.reverse("L", 7)


def test_an_order_is_checked_when_it_is_asked_for() -> None:
    backwards = original_order(region(NEST)).reverse("L", 1)
    with pytest.raises(IllegalScript, match="LW816"):
        backwards.checked()
    assert backwards.reverse("L", 1).checked().tree is not None
