"""Many random programs against brute force: made, read, run together, shrunk where they fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loopwright import read_c
from tests.execution import campaign
from tests.execution.campaign import Failure
from tests.execution.programs import RandomProgram

from .comparison import DependenceJudge
from .programs import programs, replayed


def drawn_programs(number: int, seed: int) -> list[RandomProgram]:
    """That many different programs, the same ones for the same seed."""
    return campaign.drawn_programs(number, seed, programs())


def failures_among(batch: Sequence[RandomProgram], judge: DependenceJudge) -> Iterator[Failure]:
    """The programs whose dependences are wrong."""
    return campaign.failures_among(batch, read_c, judge)


def shrunk(failure: Failure) -> Failure:
    """A smaller program that fails in the same way."""
    return campaign.shrunk(failure, read_c, DependenceJudge(), replayed)
