"""Regions in which nothing runs, and questions about statements and levels that there are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loopwright import dependences
from loopwright.interleaving.general_checks import can_follow, is_fusable, must_fuse
from loopwright.interleaving.legal_schedules import legal_schedules
from loopwright.interleaving.optimizer import Optimizer
from loopwright.interleaving.preorders import Interleaving, Preorder
from loopwright.interleaving.programs import program_of
from loopwright.interleaving.spaces import interleavings
from loopwright.tuning.orders import SOURCE, orders
from tests.interleaving.kernels import program
from tests.interleaving.test_fusibility import loops, region

EMPTY = loops("for (int i = 5; i < 5; i++) A[i] = 1.0;")
TWO = loops("for (int i = 0; i < n; i++) A[i] = 1.0;\nfor (int i = 0; i < n; i++) B[i] = A[i];")


# --- nothing runs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 2])
def test_nothing_is_in_order_in_one_way(depth: int) -> None:
    optimizer = Optimizer(program_of(dependences(region(EMPTY), inputs=True)))
    (point,) = optimizer.all(depth)
    assert point.interleaving == Interleaving((Preorder(()),) * depth)
    assert point.tree.get_domain().is_empty()
    assert optimizer.space().size() == 1


def test_nothing_has_no_interleaving_of_a_statement() -> None:
    with pytest.raises(ValueError, match="not about 0 statements"):
        Optimizer(program(EMPTY)).tree(Interleaving((Preorder((0,)),)))


def test_the_tuner_leaves_nothing_as_it_is() -> None:
    names = [each.name for each in orders(dependences(region(EMPTY)))]
    assert names[0] == SOURCE
    assert not any(name.startswith("fusion") for name in names)


# --- what cannot be asked -------------------------------------------------------------------------

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "fewer levels": (lambda: interleavings(2, -1), "2 statements at -1 levels"),
    "fewer statements": (lambda: interleavings(-1), "-1 statements"),
    "points of no levels": (lambda: Optimizer(program(TWO)).interleavings(0), "not 0"),
    "points of fewer levels": (lambda: Optimizer(program(TWO)).all(-1), "not -1"),
    "itself, fused": (lambda: is_fusable(program(TWO), 0, 0), "0 and 0 are not two"),
    "itself, later": (lambda: can_follow(program(TWO), 1, 1), "1 and 1 are not two"),
    "itself, always": (lambda: must_fuse(program(TWO), 0, 0), "0 and 0 are not two"),
    "another statement": (lambda: is_fusable(program(TWO), 0, 2), "0 and 2 are not two"),
    "fewer loops": (lambda: is_fusable(program(TWO), 0, 1, -1), "do not share -1"),
    "fewer rows": (lambda: legal_schedules(program(TWO), -1), "no -1 rows"),
    "rows of a statement twice": (lambda: legal_schedules(program(TWO), 1, (0, 0)), "different"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_question_without_an_answer_is_refused(name: str) -> None:
    question, words = REFUSED[name]
    with pytest.raises(ValueError, match=words):
        question()


def test_no_levels_have_one_point() -> None:
    space = interleavings(2, 0)
    assert list(space) == [Interleaving(())] == [space.most_fused()] == [space.most_distributed()]


def test_a_schedule_of_other_rows_is_not_in_the_set() -> None:
    of = program(TWO)
    schedules = legal_schedules(of, 2)
    rows = schedules.witness()
    assert rows is not None
    assert rows in schedules
    assert [] not in schedules
    assert rows[:1] not in schedules
    assert [{0: row[0]} for row in rows] not in schedules
