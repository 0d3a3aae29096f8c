"""The least and the greatest value of a coordinate."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import islpy as isl


def least_value(points: isl.Set, position: int) -> isl.Val:
    """The least value of a coordinate: an integer, ``-infty``, or NaN if there are no points.

    isl's ``dim_min_val`` (0.28) may count a piece that is empty without saying so as one that holds
    zero; tests/dependence/test_regressions.py has such a set.

    >>> print(least_value(isl.Set("{ [i] : 3 <= i <= 9 or i = 2 }"), 0))
    2
    """
    return _extreme(points, lambda piece: piece.dim_min_val(position), isl.Val.min)


def greatest_value(points: isl.Set, position: int) -> isl.Val:
    """The greatest value of a coordinate: an integer, ``infty``, or NaN if there are no points.

    >>> print(greatest_value(isl.Set("{ [i] : 3 <= i or i = 2 }"), 0))
    infty
    """
    return _extreme(points, lambda piece: piece.dim_max_val(position), isl.Val.max)


def _extreme(
    points: isl.Set,
    of_piece: Callable[[isl.Set], isl.Val],
    choose: Callable[[isl.Val, isl.Val], isl.Val],
) -> isl.Val:
    pieces = [each for each in points.get_basic_sets() if not each.is_empty()]
    if not pieces:
        return isl.Val.nan(points.get_ctx())
    return reduce(choose, (of_piece(isl.Set.from_basic_set(each)) for each in pieces))
