"""The dependences of random programs are those of brute force."""

from __future__ import annotations

import pytest

from .campaign import drawn_programs, failures_among, shrunk
from .comparison import DependenceJudge

CHUNKS = 8
PER_CHUNK = 4
FIRST_SEED = 20260401
MOST_INEXACT = 3
"""How many analyses of a chunk may be given up, or have more in them than they should."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_dependences_of_random_programs(chunk: int) -> None:
    batch = drawn_programs(PER_CHUNK, FIRST_SEED + chunk)
    judge = DependenceJudge()
    failures = list(failures_among(batch, judge))
    if failures:
        pytest.fail(f"{len(failures)} of {PER_CHUNK} fail; one, made small:\n{shrunk(failures[0])}")
    inexact = judge.counts["approximated"] + judge.counts["too complex"]
    assert inexact <= MOST_INEXACT, judge.counts
