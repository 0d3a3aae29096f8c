"""The dependences of random programs are those of brute force."""

from __future__ import annotations

import pytest

from .campaign import drawn_programs, failures_among, shrunk

CHUNKS = 8
PER_CHUNK = 25
FIRST_SEED = 20260401


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_dependences_of_random_programs(chunk: int) -> None:
    batch = drawn_programs(PER_CHUNK, FIRST_SEED + chunk)
    failures = list(failures_among(batch))
    if failures:
        pytest.fail(f"{len(failures)} of {PER_CHUNK} fail; one, made small:\n{shrunk(failures[0])}")
