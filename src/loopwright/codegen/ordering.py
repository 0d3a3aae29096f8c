"""Strongly connected components in an order that follows the edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def sorted_components(
    items: Sequence[Item], precedes: Callable[[Item, Item], bool]
) -> list[list[Item]]:
    """Group what must run before each other, and sort the groups (Tarjan).

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
    return [[items[index] for index in sorted(component)] for component in _components(before)]


def _components(before: list[list[int]]) -> list[list[int]]:
    """Tarjan's algorithm on the predecessors: a component comes out after all before it."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    found: list[list[int]] = []

    def visit(item: int) -> None:
        index[item] = low[item] = len(index)
        stack.append(item)
        for other in before[item]:
            if other not in index:
                visit(other)
                low[item] = min(low[item], low[other])
            elif other in stack:
                low[item] = min(low[item], index[other])
        if low[item] == index[item]:
            start = stack.index(item)
            found.append(stack[start:])
            del stack[start:]

    for item in range(len(before)):
        if item not in index:
            visit(item)
    return found
