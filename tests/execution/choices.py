"""Where a random program gets its decisions from: Hypothesis, or a list that is replayed.

Every decision is an integer, and the smallest one is the simplest program.  So a failing program
shrinks by making its list of decisions shorter and smaller, whoever drew it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Choices(ABC):
    """A source of decisions."""

    @abstractmethod
    def integer(self, low: int, high: int) -> int:
        """A number between two limits, both included."""

    def choose(self, options: Sequence[T]) -> T:
        """One of the options; put the simplest first."""
        return options[self.integer(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        """Shall the rarer and more complicated thing happen?"""
        return self.integer(0, 99) >= 100 - percent


@dataclass(slots=True)
class DrawnChoices(Choices):
    """Decisions drawn by Hypothesis, kept so that they can be replayed."""

    draw: st.DrawFn
    made: list[int] = field(default_factory=list)

    def integer(self, low: int, high: int) -> int:
        """Draw one."""
        number = self.draw(st.integers(low, high))
        self.made.append(number - low)
        return number


@dataclass(slots=True)
class ReplayedChoices(Choices):
    """Decisions from a list, forced into their limits; the simplest ones once it is used up."""

    given: Sequence[int]
    used: int = 0

    def integer(self, low: int, high: int) -> int:
        """The next one."""
        wanted = self.given[self.used] if self.used < len(self.given) else 0
        self.used += 1
        return low + min(wanted, high - low)
