"""Ranges of integers, as far as the operators of generated code need them."""

from __future__ import annotations

from loopwright.basics.records import record


@record
class Range:
    """All integers from ``low`` to ``high``.

    >>> Range(0, 3) * Range(-2, 5)
    Range(low=-6, high=15)
    >>> -Range(0, 3) + Range(1, 1)
    Range(low=-2, high=1)
    """

    low: int
    high: int

    def __post_init__(self) -> None:
        """A range holds something."""
        assert self.low <= self.high, f"an empty range: {self.low} to {self.high}"

    def contains(self, other: Range) -> bool:
        """Is all of the other range in this one?"""
        return self.low <= other.low and other.high <= self.high

    def __neg__(self) -> Range:
        """The negatives."""
        return Range(-self.high, -self.low)

    def __add__(self, other: Range) -> Range:
        """The sums."""
        return Range(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Range) -> Range:
        """The products."""
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Range(min(ends), max(ends))

    def divided_by(self, divisor: int) -> Range:
        """The quotients, rounded down."""
        return Range(self.low // divisor, self.high // divisor)

    def not_negative(self) -> Range:
        """The part from zero on; zero if there is none."""
        return Range(max(0, self.low), max(0, self.high))

    def joined_with(self, other: Range) -> Range:
        """Whatever lies in one of the two, and between."""
        return Range(min(self.low, other.low), max(self.high, other.high))

    def within(self, other: Range) -> Range:
        """What lies in both; the nearest end of the other one if nothing does."""
        low = min(max(self.low, other.low), other.high)
        return Range(low, max(low, min(self.high, other.high)))

    @staticmethod
    def least(one: Range, other: Range) -> Range:
        """The minima."""
        return Range(min(one.low, other.low), min(one.high, other.high))

    @staticmethod
    def greatest(one: Range, other: Range) -> Range:
        """The maxima."""
        return Range(max(one.low, other.low), max(one.high, other.high))
