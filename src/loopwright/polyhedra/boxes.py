"""Boxes: between which integers a value lies, found without effort where that is plain to see."""

from __future__ import annotations

import islpy as isl

from loopwright.polyhedra.extremes import greatest_value, least_value
from loopwright.polyhedra.limits import hull

PARAM, SET, DIV = isl.dim_type.param, isl.dim_type.set, isl.dim_type.div

MOST_PIECES = 4
"""A condition in more pieces is taken for a larger one in a single piece."""

MOST_UNKNOWNS, MOST_CONSTRAINTS = 12, 36
"""The unknowns are eliminated one after the other, and constraints may multiply each time."""

Ends = tuple[int, int]
"""The least and the greatest of some integers, or numbers beyond them."""


class Box:
    """For each unknown of a condition the integers that it lies between, found when asked for.

    A condition has its box around it, so what holds in the box holds under the condition; nothing
    follows from what does not.
    """

    def __init__(self, condition: isl.Set) -> None:
        """Around a condition over named unknowns."""
        if condition.n_basic_set() > MOST_PIECES:
            condition = hull(condition)
        count = condition.dim(PARAM)
        self._position = {condition.get_dim_name(PARAM, at): at for at in range(count)}
        points = condition.remove_divs().move_dims(SET, 0, PARAM, 0, count)
        self._pieces = points.get_basic_sets()
        self._known: dict[str | None, Ends | None] = {}

    def ends(self, value: isl.PwAff) -> Ends | None:
        """Integers that the value lies between wherever it is defined, if they are easily found.

        >>> box = Box(isl.Set("[i, n] -> { : 0 <= i < n <= 100 }"))
        >>> box.ends(isl.PwAff("[i, n] -> { [2*floor((i + n)/3) - 1] }"))
        (-1, 131)
        >>> box.ends(isl.PwAff("[m] -> { [(m)] }"))
        """
        lows: list[int] = []
        highs: list[int] = []
        for _, piece in value.get_pieces():
            scaled = self._scaled(piece)
            if scaled is None:
                return None
            ends, scale = scaled
            lows.append(ends[0] // scale)
            highs.append(-(-ends[1] // scale))
        return (min(lows), max(highs)) if lows else None

    def _scaled(self, value: isl.Aff) -> tuple[Ends, int] | None:
        """The same for an integer multiple of a single piece, and which multiple that is.

        Each term is as small, and as large, as it can be.
        """
        if value.is_nan():
            return None
        scale = value.get_denominator_val()
        low = high = (value.get_constant_val() * scale).to_python()
        for kind in (PARAM, DIV):
            for at in range(value.dim(kind)):
                factor = value.get_coefficient_val(kind, at)
                if factor.is_zero():
                    continue
                ends = (
                    self._of_unknown(value, at) if kind == PARAM else self._of_quotient(value, at)
                )
                if ends is None:
                    return None
                products = [(factor * scale).to_python() * each for each in ends]
                low, high = low + min(products), high + max(products)
        return (low, high), scale.to_python()

    def _of_quotient(self, value: isl.Aff, at: int) -> Ends | None:
        """A quotient in a value, which is rounded down."""
        scaled = self._scaled(value.get_div(at))
        if scaled is None:
            return None
        (low, high), scale = scaled
        return low // scale, high // scale

    def _of_unknown(self, value: isl.Aff, at: int) -> Ends | None:
        name = value.get_dim_name(PARAM, at)
        if name not in self._known:
            self._known[name] = self._found(name)
        return self._known[name]

    def _found(self, name: str | None) -> Ends | None:
        if name not in self._position or len(self._position) > MOST_UNKNOWNS:
            return None
        found = [_line(each, self._position[name]) for each in self._pieces]
        known = [each for each in found if each is not None]
        if not known or len(known) < len(found):
            return None
        return min(low for low, _ in known), max(high for _, high in known)


def _line(points: isl.BasicSet, at: int) -> Ends | None:
    """Between which integers one coordinate lies."""
    if points.n_constraint() > MOST_CONSTRAINTS:
        return None
    # Inner loops first: little depends on them.
    inner = points.dim(SET) - at - 1
    alone = points.eliminate(SET, at + 1, inner).eliminate(SET, 0, at)
    line = isl.Set.from_basic_set(alone)
    low, high = least_value(line, at), greatest_value(line, at)
    return (low.to_python(), high.to_python()) if low.is_int() and high.is_int() else None
