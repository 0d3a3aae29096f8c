"""The model predicts the execution of random programs exactly."""

from __future__ import annotations

import pytest

from loopwright import read_c

from .campaign import drawn_programs, failures_among, shrunk

CHUNKS = 8
PER_CHUNK = 11
FIRST_SEED = 20260101


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_model_predicts_random_programs(chunk: int) -> None:
    batch = drawn_programs(PER_CHUNK, FIRST_SEED + chunk)
    failures = list(failures_among(batch, read_c))
    if failures:
        pytest.fail(
            f"{len(failures)} of {PER_CHUNK} fail; one, made small:\n{shrunk(failures[0], read_c)}"
        )
