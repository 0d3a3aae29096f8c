"""The least and the greatest value of a coordinate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

import islpy as isl

from loopwright.polyhedra.values import constant, never, unknown, without

_PARAM = isl.dim_type.param
_VALUE = "the value that is looked at"


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


def beyond_in_any(
    least: int | None,
    value: isl.PwAff,
    greatest: int | None,
    reached: isl.Set,
    iterators: Iterable[str],
) -> isl.Set | None:
    """Parameter values for which the extremes of a value over named iterators are beyond these.

    Whether there are such iterations does not matter, which makes this simpler than to project
    those where the value is beyond; ``None`` if there is no extreme.

    >>> i, n = unknown("i"), unknown("n")
    >>> reached = isl.Set("[i, n, m] -> { : 0 <= i < n and m >= 1 }")
    >>> print(beyond_in_any(0, i, 9, reached, ["i"]))
    [n, m] -> {  : n >= 11 }
    """
    found = without(reached & unknown(_VALUE).eq_set(value), iterators)
    values = isl.Set.from_params(found)
    place = values.find_dim_by_name(_PARAM, _VALUE)
    values = values.move_dims(isl.dim_type.set, 0, _PARAM, place, 1)
    bad = never()
    try:
        if least is not None:
            for _, each in values.dim_min(0).get_pieces():
                bad = bad | isl.PwAff.from_aff(each).lt_set(constant(least))
        if greatest is not None:
            for _, each in values.dim_max(0).get_pieces():
                bad = bad | isl.PwAff.from_aff(each).gt_set(constant(greatest))
    except isl.Error:
        return None
    return bad.coalesce()
