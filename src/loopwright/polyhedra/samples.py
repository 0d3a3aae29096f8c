"""The smallest element of a relation, as numbers."""

from __future__ import annotations

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.extremes import greatest_value, least_value

SET, PARAM = isl.dim_type.set, isl.dim_type.param


@record
class Pair:
    """Two instances for given values of the parameters."""

    parameters: dict[str, int]
    source: tuple[int, ...]
    sink: tuple[int, ...]


def smallest_pair(pairs: isl.Map) -> Pair:
    """The smallest pair of a relation that has one: small parameters first, then early instances.

    A parameter is as small as possible without being negative, where that is possible; so is an
    iterator without a lower bound.

    >>> smallest_pair(isl.Map("[n, m] -> { S[i] -> T[j] : 2 <= i < n and j > i }"))
    Pair(parameters={'n': 3, 'm': 0}, source=(2,), sink=(3,))
    """
    names = [pairs.get_dim_name(PARAM, at) for at in range(pairs.dim(PARAM))]
    sources = pairs.dim(isl.dim_type.in_)
    everything = pairs.wrap().flatten().move_dims(SET, 0, PARAM, 0, len(names))
    values = smallest_point(everything.reset_tuple_id(), len(names))
    rest = values[len(names) :]
    parameters = dict(zip(map(str, names), values, strict=False))
    return Pair(parameters, rest[:sources], rest[sources:])


def smallest_point(points: isl.Set, signless: int) -> tuple[int, ...]:
    """The lexicographically smallest point.

    The first ``signless`` coordinates are not negative if they need not be, like any coordinate
    that has no least value.
    """
    found: list[int] = []
    for at in range(points.dim(SET)):
        value = _smallest(points, at, prefers_sign=at < signless)
        points = points.fix_val(SET, at, isl.Val(str(value)))
        found.append(value)
    return tuple(found)


def _smallest(points: isl.Set, at: int, *, prefers_sign: bool) -> int:
    only = points.project_out(SET, at + 1, points.dim(SET) - at - 1).project_out(SET, 0, at)
    natural = only.lower_bound_val(SET, 0, isl.Val(0))
    least = least_value(only, 0)
    if (prefers_sign or not least.is_int()) and not natural.is_empty():
        return least_value(natural, 0).to_python()
    return (least if least.is_int() else greatest_value(only, 0)).to_python()
