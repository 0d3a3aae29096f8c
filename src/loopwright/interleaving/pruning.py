"""The interleavings of one level that some legal schedule has (§3.2, Figure 3)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
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
        found = _SmallestSets(self._is_fusable, together, apart).among(units)
        yield from sorted(map(tuple, map(sorted, found)), key=lambda each: (len(each), each))

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


class _SmallestSets:
    """The smallest sets of three units or more that cannot share a loop, but any two of them can.

    Their subsets can, so that what is known of a set is known of many.  A set is looked for inside
    of a connected one that has it.  Any other lacks a unit of the first, and is looked for without
    that unit, in what is then left connected.  A star of many units, most of which can share a
    loop, takes few questions then; there are as many connected sets in it as subsets.
    """

    def __init__(
        self,
        is_fusable: Callable[[Iterable[Unit]], bool],
        together: Iterable[tuple[Unit, Unit]],
        apart: Iterable[tuple[Unit, Unit]],
    ) -> None:
        self.is_fusable = is_fusable
        self.together = list(together)
        self.apart: dict[Unit, set[Unit]] = {}
        for one, other in apart:
            self.apart.setdefault(one, set()).add(other)
            self.apart.setdefault(other, set()).add(one)
        self.found: set[frozenset[Unit]] = set()
        self.seen: set[frozenset[Unit]] = set()

    def among(self, units: Iterable[Unit]) -> set[frozenset[Unit]]:
        """All of them inside of some units."""
        left = [frozenset(units)]
        while left:
            for part in self._connected(left.pop()):
                if len(part) > 2 and part not in self.seen:
                    self.seen.add(part)
                    left += self._smaller(part)
        return self.found

    def _connected(self, units: frozenset[Unit]) -> Iterator[frozenset[Unit]]:
        edges = [pair for pair in self.together if units.issuperset(pair)]
        return map(frozenset, connected_components(sorted(units), edges))

    def _smaller(self, units: frozenset[Unit]) -> Iterator[frozenset[Unit]]:
        """Where to look for those that are left, without a set that is known then."""
        enemies = {unit: units & self.apart.get(unit, set()) for unit in sorted(units)}
        unit = max(enemies, key=lambda each: len(enemies[each]))
        if enemies[unit]:
            yield units - {unit}
            yield units - enemies[unit]
            return
        known = next((each for each in self.found if each <= units), None)
        if known is None and not self.is_fusable(units):
            known = self._smallest(sorted(units))
            self.found.add(known)
        for each in known or ():
            yield units - {each}

    def _smallest(self, units: Sequence[Unit]) -> frozenset[Unit]:
        """A smallest set that is not fusable, out of units that are not.

        The last unit of the shortest beginning that is not fusable is in each such set of it.
        """
        needed: list[Unit] = []
        while self.is_fusable(needed):
            count = self._shortest(units, needed)
            needed.append(units[count - 1])
            units = units[: count - 1]
        return frozenset(needed)

    def _shortest(self, units: Sequence[Unit], needed: Sequence[Unit]) -> int:
        """How many of the units can no longer share a loop with others; all of them cannot."""
        return bisect_left(
            range(len(units)),
            True,
            key=lambda count: not self.is_fusable([*needed, *units[:count]]),
        )
