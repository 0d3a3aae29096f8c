"""The same up to rounding: what is no number stays what it is, and integers stay exact."""

from __future__ import annotations

from array import array
from math import inf, nan

import pytest

from loopwright.tuning.comparison import Stored, first_difference


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
    found = first_difference([Stored("a", "double", 16)], first, second)
    assert (found is None) == is_same
    assert found is None or (found.array, found.index) == ("a", 1)


def test_integers_are_compared_exactly() -> None:
    first, second = (array("q", [each]).tobytes() for each in (2**62, 2**62 + 1))
    found = first_difference([Stored("the result", "int64_t", 8)], first, second)
    assert found is not None
    assert (found.before, found.now) == (str(2**62), str(2**62 + 1))
