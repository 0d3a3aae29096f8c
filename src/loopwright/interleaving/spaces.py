"""Convex sets of interleavings: O, I and F, with their points (§3.1, §3.2).

A set is given by linear constraints, and its integer points are interleavings, each of them once.
They are found group by group: what shares the first loop, what the next one, and so on, and inside
of each group the same for the next level.  So no pair is looked at that the groups decide already,
and what is known of the statements that are left serves all points that begin differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, islice
from random import Random

from loopwright.basics.records import record
from loopwright.interleaving.constraints import (
    FIRST,
    LAST,
    TOGETHER,
    Constraint,
    Contradiction,
    Orders,
    Pair,
    of_all_interleavings,
    uncertain,
)
from loopwright.interleaving.preorders import Interleaving, preorder_of_groups

Weights = Mapping[tuple[int, int], float]
"""What it is worth that two statements share a loop."""

MOST_TRIES = 100_000
"""So many groups are tried in the search for the best point; more would take too long."""


@record(eq=False, slots=False)
class Space:
    """The interleavings of ``count`` statements at ``depth`` levels that meet constraints."""

    count: int
    depth: int
    further: tuple[Constraint, ...] = ()
    """Those beside what makes an interleaving."""

    def __post_init__(self) -> None:
        """Refuse numbers that no region has."""
        if self.count < 0 or self.depth < 0:
            raise ValueError(f"{self.count} statements at {self.depth} levels have no space")

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """All of them."""
        return (*of_all_interleavings(self.count, self.depth), *self.further)

    def restricted(self, constraints: Iterable[Constraint]) -> Space:
        """The points that meet further constraints, too."""
        return replace(self, further=(*self.further, *constraints))

    @cached_property
    def _orders(self) -> Orders | None:
        """What is left to each pair; nothing if there are no points."""
        try:
            return Orders(self.count, self.depth, self.further)
        except Contradiction:
            return None

    @cached_property
    def _search(self) -> _Search | None:
        orders = self._orders
        return None if orders is None else _Search(orders, self.further)

    @cached_property
    def _checked(self) -> list[Constraint]:
        """What the search does not know about: it is checked point by point."""
        further = (each for each in self.further if len(each.values) > 1)
        return [each for each in further if each.kept_apart is None]

    def __iter__(self) -> Iterator[Interleaving]:
        """All points, each once, as they are found; the one that shares least is the first."""
        for chosen in self._search.points() if self._search is not None else ():
            point = _interleaving(chosen, self.depth)
            if not self._checked or point in self:
                yield point

    def size(self) -> int:
        """How many points there are.

        They are counted without being built, in a time that grows with the number of sets of
        statements that can be left when some groups are chosen.  Constraints that are neither on a
        single pair nor of the form (8) make it look at every point.
        """
        if self._search is None:
            return 0
        return sum(1 for _ in self) if self._checked else self._search.size()

    def has_more_than(self, limit: int) -> bool:
        """Are there more points?  It looks at no more of them than it needs to."""
        return next(islice(self, limit, None), None) is not None

    def __contains__(self, interleaving: Interleaving) -> bool:
        """Is it one of the points?"""
        levels = [each.ranks for each in interleaving.levels]
        if [len(each) for each in levels] != [self.count] * self.depth:
            return False

        def order(pair: Pair) -> int:
            first, second = (levels[pair.level][each] for each in (pair.first, pair.second))
            return FIRST if first < second else TOGETHER if first == second else LAST

        return all(each.holds(order) for each in self.further)

    def drawn(self, chance: Random) -> Interleaving | None:
        """Some point, be there little that shares a loop in it or much; none if it is not found."""
        chosen = None if self._search is None else self._search.drawn(chance, chance.random())
        point = None if chosen is None else _interleaving(chosen, self.depth)
        return point if point is None or not self._checked or point in self else None

    def best(self, weights: Weights) -> Interleaving | None:
        """A point with the largest sum of the weights of the pairs that share the outer loop.

        Of several, one with the fewest pairs that change places; then the same for the next loop
        within each, and so on.  The statements of a pair may be named in either order.  In a space
        that is too large to be sure of it, the best that was found after many tries.
        """
        _require_pairs(weights, self.count)
        if self._search is None or not self.depth:
            return next(iter(self), None)
        if self._checked:
            levels = [_Worth(self._search.orders, weights, at) for at in range(self.depth)]
            return max(self, key=lambda point: [each.of(point) for each in levels], default=None)
        found = _BestPoint(self._search, weights).chosen(self._search.everything)
        return None if found is None else _interleaving(found, self.depth)

    def most_fused(self) -> Interleaving | None:
        """A point in which as many pairs as possible share loops, the outer ones first."""
        return self.best(dict.fromkeys(combinations(range(self.count), 2), 1.0))

    def most_distributed(self) -> Interleaving | None:
        """A point in which as few pairs as possible share loops, the outer ones first."""
        return self.best(dict.fromkeys(combinations(range(self.count), 2), -1.0))

    def dimensions(self) -> int:
        """How many variables are left once those are set that the constraints decide."""
        return 0 if self._orders is None else self._orders.undecided()

    def remaining(self) -> int:
        """How many constraints are left then."""
        if self._orders is None:
            return 0
        return self._orders.uncertain() + uncertain(self._orders, self.further)


def interleavings(count: int, depth: int = 1) -> Space:
    """The set I of all interleavings; with one level it is O, that of all total preorders.

    >>> interleavings(3).size(), interleavings(2, depth=2).size()
    (13, 5)
    >>> interleavings(2, depth=-1)
    Traceback (most recent call last):
        ...
    ValueError: 2 statements at -1 levels have no space
    """
    return Space(count, depth)


# --- points, group by group -----------------------------------------------------------------------

Chosen = Sequence[tuple[int, int]]
"""Groups of statements, in bits, each with its level: a group, what is inside, the next group."""
Gain = Callable[[int, int], float]
"""What it is worth that some statements join a group."""


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _interleaving(chosen: Chosen, depth: int) -> Interleaving:
    return Interleaving(
        tuple(
            preorder_of_groups(_members(group) for at, group in chosen if at == level)
            for level in range(depth)
        )
    )


class _Level:
    """What pairs of statements can do at a level, by statement, in bits."""

    def __init__(self, rows: Sequence[Sequence[int]], kept_apart: Iterable[Iterable[int]]) -> None:
        self.not_later = [_bits(row, lambda left: not left >> FIRST & 1) for row in rows]
        """What a statement cannot come before: itself, and what has to be earlier or with it."""
        self.not_earlier = [_bits(row, lambda left: not left >> LAST & 1) for row in rows]
        self.apart = [_bits(row, lambda left: not left >> TOGETHER & 1) for row in rows]
        self.kept_apart = [sum(1 << each for each in statements) for statements in kept_apart]

    def groups(self, left: int, gain: Gain | None = None) -> Iterator[int]:
        """What can share the first loop of the statements that are left.

        With each statement, a group has all that cannot come later.  The smaller groups come first,
        or those that gain something.
        """
        branches = [(left, 0)]
        while branches:
            rest, group = branches.pop()
            if not rest:
                if group:
                    yield group
                continue
            at = (rest & -rest).bit_length() - 1
            without = rest & ~self.not_earlier[at], group
            joining = self.not_later[at] & left & ~group
            if not self._can_join(joining, group):
                branches.append(without)
                continue
            joined = rest & ~joining, group | joining
            is_first = not group if gain is None or not group else gain(group, joining) > 0
            branches += (without, joined) if is_first else (joined, without)

    def drawn(self, left: int, chance: Random, share: float) -> int:
        """One of these groups by chance, with such a share of what can be in it; 0 if none."""
        needed = {each: self.not_later[each] & left for each in _members(left)}
        first = [each for each in needed.values() if self._can_join(each, 0)]
        if chance.random() >= share:
            fewest = min(map(int.bit_count, first), default=0)
            first = [each for each in first if each.bit_count() == fewest]
        group = chance.choice(first) if first else 0
        others = list(needed.values())
        chance.shuffle(others)
        for each in others:
            joining = each & ~group
            if group and chance.random() < share and self._can_join(joining, group):
                group |= joining
        return group

    def _can_join(self, joining: int, group: int) -> bool:
        joined = joining | group
        return not any(self.apart[each] & joined for each in _members(joining)) and not any(
            joined & each == each for each in self.kept_apart
        )


def _bits(row: Sequence[int], is_wanted: Callable[[int], bool]) -> int:
    return sum(1 << at for at, left in enumerate(row) if is_wanted(left))


class _Search:
    """The points of a space, if its constraints are on single pairs or of the form (8)."""

    def __init__(self, orders: Orders, constraints: Iterable[Constraint]) -> None:
        self.orders = orders
        sets: list[list[frozenset[int]]] = [[] for _ in orders.levels]
        for each in constraints:
            if each.kept_apart is not None and len(each.kept_apart) > 2:
                sets[next(iter(each.values)).level].append(each.kept_apart)
        self.levels = [_Level(*each) for each in zip(orders.levels, sets, strict=True)]
        self.everything = (1 << orders.count) - 1
        self._sizes: dict[tuple[int, int], int] = {}

    def points(self, level: int = 0, statements: int | None = None) -> Iterator[Chosen]:
        """All interleavings of some statements from a level on; the list is reused."""
        start = self.everything if statements is None else statements
        chosen: list[tuple[int, int]] = []
        first = self._unfinished((level, start, None))
        if first is None:
            yield chosen
            return
        path = [(first, self.levels[first[0]].groups(first[1]))]
        while path:
            (level, left, then), groups = path[-1]
            del chosen[len(path) - 1 :]
            group = next(groups, None)
            if group is None:
                path.pop()
                continue
            chosen.append((level, group))
            following = self._unfinished((level + 1, group, (level, left & ~group, then)))
            if following is None:
                yield chosen
            else:
                path.append((following, self.levels[following[0]].groups(following[1])))

    def drawn(self, chance: Random, share: float) -> Chosen | None:
        """One of these points by chance; nothing if what was chosen first leaves none."""
        chosen: list[tuple[int, int]] = []
        task = self._unfinished((0, self.everything, None))
        while task is not None:
            level, left, then = task
            group = self.levels[level].drawn(left, chance, share)
            if not group:
                return None
            chosen.append((level, group))
            task = self._unfinished((level + 1, group, (level, left & ~group, then)))
        return chosen

    def _unfinished(self, task: _Task | None) -> _Task | None:
        """The next statements that are to be put into groups."""
        while task is not None and (task[0] == len(self.levels) or not task[1]):
            task = task[2]
        return task

    def size(self) -> int:
        """How many points there are."""
        return self._size(0, self.everything)

    def _size(self, level: int, left: int) -> int:
        if level == len(self.levels) or not left:
            return 1
        found = self._sizes.get((level, left))
        if found is None:
            groups = self.levels[level].groups(left)
            ways = (
                self._size(level + 1, each) * self._size(level, left & ~each) for each in groups
            )
            found = self._sizes[level, left] = sum(ways)
        return found


_Task = tuple[int, int, "_Task | None"]
"""A level, statements to be put into groups there, and what to do then."""


# --- the best point -------------------------------------------------------------------------------

Score = tuple[float, int]
"""What shared loops are worth, and how many pairs keep their places, less what is possible."""


def _require_pairs(weights: Weights, count: int) -> None:
    for i, j in weights:
        if i == j or not {i, j} <= set(range(count)):
            raise ValueError(f"({i}, {j}) is no pair of {count} statements")


class _Worth:
    """What the loops of a level are worth in a point."""

    def __init__(self, orders: Orders, weights: Weights, level: int) -> None:
        self.weights = [
            [weights.get((i, j), 0.0) + weights.get((j, i), 0.0) for j in range(orders.count)]
            for i in range(orders.count)
        ]
        self.level = level
        self.rows = orders.levels[level]

    def of(self, point: Interleaving) -> Score:
        """The worth of a point."""
        ranks = point.levels[self.level].ranks
        pairs = list(combinations(range(len(ranks)), 2))
        shared = sum(self.weights[i][j] for i, j in pairs if ranks[i] == ranks[j])
        return shared, -sum(ranks[i] > ranks[j] for i, j in pairs)

    def of_group(self, group: int, rest: int) -> Score:
        """What it adds that a group comes before the rest."""
        overtaken = sum((rest & (1 << each) - 1).bit_count() for each in _members(group))
        pairs = combinations(_members(group), 2)
        return sum(self.weights[i][j] for i, j in pairs), -overtaken

    def gain(self, group: int, joining: int) -> float:
        """What it adds that some statements join a group."""
        return sum(self.weights[i][j] for i in _members(group) for j in _members(joining))

    def hope(self, left: int) -> Score:
        """No order of the statements that are left is worth more."""
        shared, overtaken = 0.0, 0
        for i, j in combinations(_members(left), 2):
            possible = self.rows[i][j]
            if possible >> TOGETHER & 1:
                weight = self.weights[i][j]
                shared += weight if possible == 1 << TOGETHER else max(weight, 0.0)
            overtaken += possible == 1 << LAST
        return shared, -overtaken


class _BestPoint:
    """A search for the best point from a level on, set by set of the statements that are left."""

    def __init__(self, search: _Search, weights: Weights, level: int = 0) -> None:
        self.search, self.weights, self.level = search, weights, level
        self.worth = _Worth(search.orders, weights, level)
        self.tries = 0
        self._first: dict[int, tuple[Score, int] | None] = {0: ((0.0, 0), 0)}
        """The score of the best order of a set, and its first group."""
        self._hopes: dict[int, Score] = {}

    def chosen(self, left: int) -> list[tuple[int, int]] | None:
        """The groups of the best point of some statements that was found, with what is inside."""
        if self._best(left) is None:
            return None
        is_innermost = self.level + 1 == len(self.search.levels)
        inside = None if is_innermost else _BestPoint(self.search, self.weights, self.level + 1)
        found: list[tuple[int, int]] = []
        while left:
            best = self._best(left)
            assert best is not None, "what follows a chosen group was found with it"
            found.append((self.level, best[1]))
            found += (inside.chosen(best[1]) or ()) if inside is not None else ()
            left &= ~best[1]
        return found

    def _best(self, left: int) -> tuple[Score, int] | None:
        if left not in self._first:
            self._first[left] = self._tried(left)
        return self._first[left]

    def _tried(self, left: int) -> tuple[Score, int] | None:
        best: tuple[Score, int] | None = None
        for group in self.search.levels[self.level].groups(left, self.worth.gain):
            if best is not None and (best[0] >= self._hope(left) or self.tries > MOST_TRIES):
                break
            self.tries += 1
            rest = left & ~group
            own = self.worth.of_group(group, rest)
            if best is not None and _sum(own, self._hope(rest)) <= best[0]:
                continue
            following = self._best(rest)
            if following is None or next(self.search.points(self.level + 1, group), None) is None:
                continue
            score = _sum(own, following[0])
            if best is None or score > best[0]:
                best = score, group
        return best

    def _hope(self, left: int) -> Score:
        if left not in self._hopes:
            self._hopes[left] = self.worth.hope(left)
        return self._hopes[left]


def _sum(one: Score, other: Score) -> Score:
    return one[0] + other[0], one[1] + other[1]
