"""Directed graphs: what belongs together, in an order that the edges allow.

Every run of the compiler needs these few lines, and loading a library of graphs for them takes
longer than most of its stages.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)

Successors = Sequence[Sequence[int]]
"""For each node of a graph, all of them numbers, those that its edges lead to."""


def ordered_components(
    nodes: Sequence[Node], edges: Iterable[tuple[Node, Node]]
) -> list[list[Node]]:
    """The strongly connected components, sources first; where that is free, as the nodes come.

    >>> ordered_components("abcd", [("d", "a"), ("b", "c"), ("c", "b")])
    [['b', 'c'], ['d'], ['a']]
    """
    position = {node: at for at, node in enumerate(nodes)}
    successors: list[list[int]] = [[] for _ in nodes]
    for source, sink in edges:
        successors[position[source]].append(position[sink])
    components = [sorted(each) for each in strongly_connected(successors)]
    return [[nodes[at] for at in each] for each in _sources_first(components, successors)]


def connected_components(
    nodes: Sequence[Node], edges: Iterable[tuple[Node, Node]]
) -> list[list[Node]]:
    """What edges join in whatever direction; components and their members as the nodes come.

    >>> connected_components("abcd", [("d", "b"), ("c", "c")])
    [['a'], ['b', 'd'], ['c']]
    """
    both = (pair for source, sink in edges for pair in ((source, sink), (sink, source)))
    return ordered_components(nodes, both)


def strongly_connected(successors: Successors) -> Iterator[list[int]]:
    """The strongly connected components, each after all that its edges lead to (Tarjan).

    ``lowest`` is the number of the earliest node without a component that a node is known to
    reach.  Where that is the node itself, it makes a component with what came after it.  The walk
    keeps its own path, since chains of statements may be longer than Python's stack is deep.
    """
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    without: list[int] = []
    for root in range(len(successors)):
        path = [root] if root not in number else []
        while path:
            node = path[-1]
            if node not in number:
                number[node] = lowest[node] = len(number)
                without.append(node)
            unseen = next((each for each in successors[node] if each not in number), None)
            if unseen is not None:
                path.append(unseen)
                continue
            path.pop()
            lowest[node] = min(lowest[each] for each in (node, *successors[node]))
            if lowest[node] == number[node]:
                at = without.index(node)
                for each in without[at:]:
                    lowest[each] = len(successors)  # nobody gets anywhere through it any more
                yield without[at:]
                del without[at:]


def _sources_first(
    components: Sequence[Sequence[int]], successors: Successors
) -> Iterator[Sequence[int]]:
    """The components, none before one that leads to it; of several, that of the earliest node."""
    home = {node: each[0] for each in components for node in each}
    members = {each[0]: each for each in components}
    pairs = {(home[node], home[to]) for node, each in enumerate(successors) for to in each}
    following: dict[int, list[int]] = {first: [] for first in members}
    missing = dict.fromkeys(members, 0)
    for source, sink in pairs:
        if source != sink:
            following[source].append(sink)
            missing[sink] += 1
    ready = sorted(first for first, count in missing.items() if not count)
    while ready:
        first = heappop(ready)
        yield members[first]
        for each in following[first]:
            missing[each] -= 1
            if not missing[each]:
                heappush(ready, each)
