"""The same up to rounding: what is no number stays what it is, and integers stay exact."""

from __future__ import annotations

from array import array
from math import inf, nan

import pytest

from loopwright.tuning.comparison import first_difference


@pytest.mark.parametrize(
    ("before", "now", "is_same"),
    [
        (1.0, 1.0 + 1e-13, True),
        (1.0, 1.0 + 1e-6, False),
        (nan, nan, True),
        (nan, 1.0, False),
        (1.0, nan, False),
        (nan, inf, False),
        (inf, inf, True),
        (inf, -inf, False),
        (inf, 1.0, False),
        (1.0, inf, False),
    ],
)
def test_what_is_no_number(before: float, now: float, is_same: bool) -> None:
    first, second = (array("d", [3.0, each]).tobytes() for each in (before, now))
    assert first_difference([("a", "double", 16)], first, second) == (None if is_same else "a")


def test_integers_are_compared_exactly() -> None:
    first, second = (array("q", [each]).tobytes() for each in (2**62, 2**62 + 1))
    assert first_difference([("the result", "int64_t", 8)], first, second) == "the result"
