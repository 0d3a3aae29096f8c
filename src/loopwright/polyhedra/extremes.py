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


def least_of(points: isl.Set, value: isl.Aff) -> isl.Val:
    """The least value of a function on the points; ``min_val`` has the same flaw.

    >>> print(least_of(isl.Set("{ [i] : 3 <= i <= 9 }"), isl.Aff("{ [i] -> [(2i)] }")))
    6
    """
    return _extreme(points, lambda piece: piece.min_val(value), isl.Val.min)


def greatest_of(points: isl.Set, value: isl.Aff) -> isl.Val:
    """The greatest value of a function on the points; ``max_val`` has the same flaw.

    >>> print(greatest_of(isl.Set("{ [i] : 3 <= i <= 9 }"), isl.Aff("{ [i] -> [(2i)] }")))
    18
    """
    return _extreme(points, lambda piece: piece.max_val(value), isl.Val.max)


def _extreme(
    points: isl.Set,
    of_piece: Callable[[isl.Set], isl.Val],
    choose: Callable[[isl.Val, isl.Val], isl.Val],
) -> isl.Val:
    if points.n_basic_set() == 1:
        return of_piece(points)
    pieces = [each for each in points.get_basic_sets() if not each.is_empty()]
    if not pieces:
        return isl.Val.nan(points.get_ctx())
    return reduce(choose, (of_piece(isl.Set.from_basic_set(each)) for each in pieces))
