"""A small sample of random surroundings: nothing wrong is accepted, and naked loops are.

The whole is ``make fuzz-surroundings``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness import workers
from tests.soundness.judging import Said, slow_teams
from tests.soundness.surroundings.cases import drawn, naked
from tests.soundness.workers import Judge

SEED = 1
CASES = 40
AT_A_TIME = 10


@pytest.fixture(scope="module")
def teams(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Threads that begin in the opposite order."""
    return slow_teams(tmp_path_factory.mktemp("teams"))


@pytest.mark.parametrize("first", range(0, CASES, AT_A_TIME))
def test_nothing_is_accepted_that_differs(first: int, teams: Path) -> None:
    judge = Judge(SEED, teams, is_thorough=False)
    outcomes = [judge.outcome(number) for number in range(first, first + AT_A_TIME)]
    assert [each for each in outcomes if each.is_finding] == []
    assert [each for each in outcomes if each.said.word == "crashed"] == []


def test_loops_in_programs_that_wear_nothing_are_accepted() -> None:
    right = [case for number in range(12) if (case := naked(SEED, number)).is_right]
    refused = [case.name for case in right if workers.said(case).word != "proved"]
    assert len(refused) <= len(right) // 6


def test_who_believes_everything_is_caught(teams: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "said", lambda case: Said("proved", "whatever it is"))
    wrong = [number for number in range(CASES) if not drawn(SEED, number).is_right]
    outcomes = [Judge(SEED, teams).outcome(number) for number in wrong[:4]]
    assert sum(each.is_finding for each in outcomes) >= 2
