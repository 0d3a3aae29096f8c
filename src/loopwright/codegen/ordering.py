"""Strongly connected components in an order that follows the edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from loopwright.basics.graphs import strongly_connected

Item = TypeVar("Item")


def sorted_components(
    items: Sequence[Item], precedes: Callable[[Item, Item], bool]
) -> list[list[Item]]:
    """Group what must run before each other, and sort the groups.

    ``precedes(a, b)`` is asked at most once for each pair.  Groups that may stand in any order keep
    the order of their first items.

    >>> sorted_components([3, 1, 2, 11], lambda a, b: a % 10 < b % 10 or a == 11 and b == 1)
    [[11], [1], [2], [3]]
    >>> sorted_components("abc", lambda a, b: {a, b} == {"a", "c"})
    [['a', 'c'], ['b']]
    """
    if len(items) == 1:
        return [list(items)]
    count = len(items)
    before = [
        [other for other in range(count) if other != item and precedes(items[other], items[item])]
        for item in range(count)
    ]
    return [[items[index] for index in sorted(each)] for each in strongly_connected(before)]
