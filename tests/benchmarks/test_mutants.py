"""The benchmark of mutants: what is counted where, and when it fails."""

from __future__ import annotations

import pytest

from benchmarks import mutants
from benchmarks.mutants import CANNOT_TELL, EQUIVALENT, Tried


def tried(outcome: str, verdict: str, *kinds: str) -> Tried:
    return Tried("gemm", "small", kinds, "text", outcome, verdict, "not proved: A[i] is 1", 0.5)


def test_a_row_counts_wrong_and_right_ones() -> None:
    found = [
        tried("other bits", CANNOT_TELL, "bound"),
        tried("a race", EQUIVALENT, "bound"),
        tried("same", EQUIVALENT, "bound"),
        tried("same", CANNOT_TELL, "bound"),
        tried("same", CANNOT_TELL, "bound"),
    ]
    _, *counts, median, worst = mutants.row("bound", found).split()
    assert list(map(int, counts)) == [5, 2, 1, 3, 1, 0, 2]
    assert (median, worst) == ("0.50", "0.50")


def test_two_faults_are_a_pair() -> None:
    assert tried("same", EQUIVALENT, "bound", "bound").kind == mutants.PAIR
    assert tried("same", EQUIVALENT, "bound").kind == "bound"


def test_reasons_are_classes() -> None:
    found = [tried("same", CANNOT_TELL, "swap"), tried("a race", CANNOT_TELL, "swap")]
    assert list(mutants.table(found))[-1].split(maxsplit=1) == ["1", "not proved: _ is _"]


@pytest.mark.parametrize(
    ("untouched", "mutant", "status"),
    [
        (("same", EQUIVALENT), ("other bits", CANNOT_TELL), 0),
        (("same", EQUIVALENT), ("other bits", EQUIVALENT), 1),
        (("same", CANNOT_TELL), ("same", EQUIVALENT), 1),
        (("a race", EQUIVALENT), ("same", EQUIVALENT), 1),
    ],
)
def test_a_wrong_one_that_is_accepted_is_a_failure(
    untouched: tuple[str, str],
    mutant: tuple[str, str],
    status: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = [tried(*untouched, mutants.UNTOUCHED), tried(*mutant, "guard")]
    assert mutants.ended(found) == status
    assert ("ACCEPTED" in capsys.readouterr().out) == (mutant == ("other bits", EQUIVALENT))


def test_all_mutants_are_shared_out() -> None:
    found = mutants.shares(2000, ["gemm", "lu", "atax"])
    assert sum(count for _, _, count in found) == 2000
    assert {count for _, _, count in found} == {333, 334}
