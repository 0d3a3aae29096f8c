"""Work on one region, apart from the others: what goes wrong in it ends nothing but itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from loopwright.basics.failures import Failure, failure_of
from loopwright.choosing import OtherSizes, TimeIsUp
from loopwright.fates import NO_MEMORY, Broken, Fate, OutOfTime
from loopwright.model.scop import Scop

T = TypeVar("T")


class Broke(Exception):
    """There is a mistake of ours in the work on a region."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class Apart(Protocol):
    """How to work on a region so that the others are safe.

    The work is to end at a time of :func:`time.monotonic`, if there is one.  Raises
    :class:`TimeIsUp`, :class:`MemoryError`, :class:`Broke` and :class:`OtherSizes`, nothing else.
    """

    def __call__(self, scop: Scop, until: float | None, work: Callable[[], T]) -> T:
        """What the work finds."""
        ...


def in_place(scop: Scop, until: float | None, work: Callable[[], T]) -> T:
    """In this process, which ends nothing before its time."""
    del scop, until
    try:
        return work()
    except (TimeIsUp, OtherSizes, MemoryError, Broke):
        raise
    except Exception as error:
        raise Broke(failure_of(error)) from error


def unprotected(scop: Scop, until: float | None, work: Callable[[], T]) -> T:
    """For those who want to know what goes wrong: one region is all that there is."""
    del scop, until
    return work()


def fate_apart(apart: Apart, scop: Scop, until: float | None, work: Callable[[], Fate]) -> Fate:
    """What becomes of a region, whatever happens."""
    try:
        return apart(scop, until, work)
    except TimeIsUp:
        return OutOfTime(scop)
    except MemoryError:
        return OutOfTime(scop, NO_MEMORY)
    except Broke as broke:
        return Broken(scop, broke.failure)
