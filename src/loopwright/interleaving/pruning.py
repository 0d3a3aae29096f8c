"""The interleavings of one level that some legal schedule has (§3.2, Figure 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from loopwright.basics.graphs import connected_components, ordered_components
from loopwright.basics.records import record
from loopwright.interleaving.constraints import Constraint, comes_first, is_shared
from loopwright.interleaving.fusibility import Fusibility
from loopwright.interleaving.spaces import Space, interleavings

Unit = tuple[int, ...]
"""Statements that share a loop in any case, since they depend on each other in a circle."""


@record(eq=False)
class Pruned:
    """The set F of one level, over the positions of the ``statements``, and what it took."""

    statements: tuple[int, ...]
    space: Space
    units: tuple[Unit, ...]
    unfusable: tuple[tuple[int, ...], ...]
    """The smallest sets of statements that cannot share a loop, one statement of each unit."""


def pruned(fusibility: Fusibility, statements: Sequence[int]) -> Pruned:
    """The interleavings of the statements that some legal schedule has, and no others.

    Statements that depend on each other in a circle are merged, as a splitter between any two of
    them would violate a dependence.  What depends on another statement does not come before it.
    Among the merged ones, the smallest sets that cannot share a loop are found and excluded.
    """
    found = _Pruning(fusibility, statements)
    unfusable = tuple(found.minimal_unfusable())
    numbers = {each: at for at, each in enumerate(statements)}
    space = interleavings(len(statements)).restricted(
        [
            *_must_share(found.units, numbers),
            *_must_not_overtake(found.edges, numbers),
            *_must_not_share(unfusable, numbers),
        ]
    )
    return Pruned(tuple(statements), space, tuple(found.units), unfusable)


Numbers = dict[int, int]


def _must_share(units: Iterable[Unit], numbers: Numbers) -> Iterator[Constraint]:
    for unit in units:
        for first, second in combinations(unit, 2):
            yield Constraint((is_shared(numbers[first], numbers[second]),), -1)


def _must_not_overtake(edges: Iterable[tuple[int, int]], numbers: Numbers) -> Iterator[Constraint]:
    for source, sink in sorted(edges):
        terms, constant = comes_first(numbers[source], numbers[sink])
        yield Constraint(tuple(terms), constant - 1)


def _must_not_share(sets: Iterable[Sequence[int]], numbers: Numbers) -> Iterator[Constraint]:
    """Not all of a set share a loop (8): of the pairs in a row, one at least does not."""
    for each in sets:
        pairs = pairwise(each)
        terms = (is_shared(numbers[first], numbers[second]) for first, second in pairs)
        yield Constraint(tuple((variable, -factor) for variable, factor in terms), len(each) - 2)


class _Pruning:
    def __init__(self, fusibility: Fusibility, statements: Sequence[int]) -> None:
        kept = set(statements)
        self.fusibility = fusibility
        self.edges = [edge for edge in sorted(fusibility.program.edges) if kept.issuperset(edge)]
        self.units = [tuple(each) for each in ordered_components(list(statements), self.edges)]
        home = {each: unit for unit in self.units for each in unit}
        self.followers: dict[Unit, set[Unit]] = {unit: set() for unit in self.units}
        self.neighbours: dict[Unit, set[Unit]] = {unit: set() for unit in self.units}
        for source, sink in self.edges:
            if home[source] != home[sink]:
                self.followers[home[source]].add(home[sink])
                self.neighbours[home[source]].add(home[sink])
                self.neighbours[home[sink]].add(home[source])

    def minimal_unfusable(self) -> Iterator[tuple[int, ...]]:
        """The smallest sets of units that cannot share a loop, by a statement of each."""
        alone = [unit for unit in self.units if not self._has_loops(unit)]
        for unit in alone:
            for other in self.units:
                if other is not unit and (other not in alone or unit < other):
                    yield min(unit[0], other[0]), max(unit[0], other[0])
        for sets in self._unfusable([unit for unit in self.units if unit not in alone]):
            yield tuple(unit[0] for unit in sets)

    def _has_loops(self, unit: Unit) -> bool:
        """Has it a loop to share?  The one that a circle is in may be over for some of it."""
        has_loops = all(map(self.fusibility.has_loops_left, unit))
        return has_loops and self.fusibility.is_fusable(unit)

    def _is_fusable(self, units: Iterable[Unit]) -> bool:
        return self.fusibility.is_fusable(each for unit in units for each in unit)

    def _unfusable(self, units: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
        """Connected sets only: what does not depend on each other can begin at the same time.

        The paper enumerates paths between dependent statements; a star is connected, and no path.
        """
        pairs = [
            (unit, other) for unit in units for other in self.neighbours[unit] if other in units
        ]
        apart = self._apart(units)
        yield from sorted(apart, key=lambda pair: pair[0] + pair[1])
        together = [pair for pair in pairs if pair not in apart and pair[::-1] not in apart]
        for component in connected_components(units, together):
            if len(component) > 2 and not self._is_fusable(component):
                yield from self._larger(component, apart)

    def _apart(self, units: Sequence[Unit]) -> set[tuple[Unit, Unit]]:
        """Pairs that cannot share a loop, and then what they keep apart.

        If S, which depends on R, is not fusable with R, nothing that R depends on is fusable with
        anything that depends on S.  So pairs are asked about from the nearest to the farthest.
        """
        reach = self._reach()
        found: set[tuple[Unit, Unit]] = set()
        pairs = [(unit, other) for unit in units for other in reach[unit] if other in units]
        for unit, other in sorted(pairs, key=lambda pair: (self._between(pair, reach), pair)):
            if (unit, other) in found or other not in self.followers[unit]:
                continue
            if not self._is_fusable((unit, other)):
                before = [each for each in units if each == unit or unit in reach[each]]
                after = [each for each in units if each == other or each in reach[other]]
                found.update((one, another) for one in before for another in after)
        return found

    def _reach(self) -> dict[Unit, set[Unit]]:
        """What depends on each unit, be it through others."""
        found: dict[Unit, set[Unit]] = {}
        for unit in reversed(self.units):  # sources come first
            near = self.followers[unit]
            found[unit] = near.union(*(found[each] for each in near))
        return found

    def _between(self, pair: tuple[Unit, Unit], reach: dict[Unit, set[Unit]]) -> int:
        return sum(pair[1] in reach[each] for each in reach[pair[0]])

    def _larger(
        self, component: Sequence[Unit], apart: set[tuple[Unit, Unit]]
    ) -> Iterator[tuple[Unit, ...]]:
        """The smallest connected sets of three units or more, by size."""
        found: list[frozenset[Unit]] = [frozenset(pair) for pair in apart]
        sets = {frozenset((unit, other)) for unit in component for other in self.neighbours[unit]}
        sets = {each for each in sets if each not in found and each <= set(component)}
        while sets:
            larger = {
                each | {other}
                for each in sets
                for unit in each
                for other in self.neighbours[unit]
                if other in component and other not in each
            }
            sets = set[frozenset[Unit]]()
            for each in sorted(larger, key=sorted):
                if any(known <= each for known in found):
                    continue
                if self._is_fusable(each):
                    sets.add(each)
                else:
                    found.append(each)
                    yield tuple(sorted(each))
