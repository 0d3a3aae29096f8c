"""Cases in which two programs are compared: sizes that are small or odd, and data of all kinds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import islpy as isl

from loopwright.basics.records import record
from loopwright.polyhedra.samples import smallest_point
from loopwright.tuning.calls import Call
from loopwright.tuning.harness import POSITIVE, SIGNED, WHOLE
from loopwright.tuning.sizes import chosen_values, context_of, parameter_names
from loopwright.tuning.toolchain import CannotRun

PARAM, SET = isl.dim_type.param, isl.dim_type.set
FIRST_SIZES, EMPTY_SIZES = (1, 2, 3, 4, 5), (0, -1)
MORE_SIZES = (6, 7, 8, 9, 10, 13, 16, 17, 33)
UNEQUAL, MORE_UNEQUAL = (3, 5, 2, 7, 4, 8, 6, 9), (6, 17, 9, 3, 12, 33, 5, 10)
"""Different parameters get different ones of these."""
OTHERS = (3, 2, 5, 1)
"""The values of integers that are no sizes."""
LARGEST_NUMBER, MOST_NUMBERS = 1500, 4
FULL = 9
"""So many sizes are tried with all data, further ones with data that take turns."""


@record
class Case:
    """Values of all integers, by their names in the source, and which data the arrays hold."""

    values: Mapping[str, int]
    data: int


def cases_of(
    call: Call, texts: Iterable[bytes], first: Sequence[Mapping[str, int]], *, is_exact: bool
) -> Iterator[Case]:
    """The cases for a function, small ones first; ``first`` are values that somebody suggests.

    Where sums may be computed in another order, their terms have one sign, so that the difference
    is small.
    """
    data = (POSITIVE, SIGNED, WHOLE) if is_exact else (POSITIVE, WHOLE)
    seen: list[Mapping[str, int]] = []
    for values in _values(call, texts, first):
        if values not in seen:
            at = len(seen)
            seen.append(values)
            kinds = data if at < FULL else data[at % len(data) :][:1]
            yield from (Case(_with_others(call, values, at), each) for each in kinds)


def _values(
    call: Call, texts: Iterable[bytes], first: Sequence[Mapping[str, int]]
) -> Iterator[dict[str, int]]:
    names = list(parameter_names(call))
    wanted: list[int | Mapping[str, int]] = [
        {name: value for name, value in each.items() if name in names} for each in first
    ]
    wanted += FIRST_SIZES
    wanted += [*_turned(names, UNEQUAL), *MORE_SIZES]
    wanted += [*_turned(names, MORE_UNEQUAL), *EMPTY_SIZES]
    wanted += [size for number in _numbers(texts) for size in (number, number + 1)]
    found = False
    for each in wanted:
        size = each if isinstance(each, int) else UNEQUAL[0]
        given: Mapping[str, int] = {} if isinstance(each, int) else each
        try:
            yield chosen_values(call, size, given)
            found = True
        except CannotRun:
            continue
    if not found:
        yield from _smallest(call)


def _turned(names: Sequence[str], values: Sequence[int]) -> list[Mapping[str, int]]:
    """Different values for different names, in several ways.

    >>> _turned(["n", "m"], (3, 5, 2, 7))[:2], _turned(["n"], (3, 5, 2, 7))
    ([{'n': 3, 'm': 5}, {'n': 5, 'm': 2}], [])
    """
    if len(names) < 2:
        return []
    return [
        {name: values[(at + turn) % len(values)] for at, name in enumerate(names)}
        for turn in range(4)
    ]


def _numbers(texts: Iterable[bytes]) -> list[int]:
    """Numbers in the programs from which on something else may happen, such as sizes of tiles.

    >>> _numbers([b"for (c0 = 0; c0 < n; c0 += 128) if (n > 1024)", b"x40 = 128;"])
    [128, 1024]
    """
    found = {int(each) for text in texts for each in re.findall(rb"\b[1-9]\d{1,3}\b", text)}
    large = sorted(each for each in found if MORE_SIZES[-1] < each <= LARGEST_NUMBER)
    return large[:MOST_NUMBERS]


def _smallest(call: Call) -> Iterator[dict[str, int]]:
    """The smallest values for which the models hold, where usual sizes are none."""
    names = parameter_names(call)
    context = context_of(call.scops)
    for name in names.values():
        if context.find_dim_by_name(PARAM, name) < 0:
            context = context.add_dims(PARAM, 1).set_dim_name(PARAM, context.dim(PARAM), name)
    count = context.dim(PARAM)
    order = [str(context.get_dim_name(PARAM, at)) for at in range(count)]
    points = isl.Set.from_params(context).move_dims(SET, 0, PARAM, 0, count)
    if not points.is_empty():
        values = dict(zip(order, smallest_point(points, count), strict=True))
        yield chosen_values(call, UNEQUAL[0], {text: values[each] for text, each in names.items()})


def _with_others(call: Call, values: Mapping[str, int], turn: int) -> dict[str, int]:
    others = [each for each in call.integers if each.name not in parameter_names(call)]
    return dict(values) | {
        each.name: min(OTHERS[(at + turn) % len(OTHERS)], each.greatest)
        for at, each in enumerate(others)
    }
