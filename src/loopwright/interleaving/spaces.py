"""Convex sets of interleavings: O, I and F, with their points (§3.1, §3.2).

Two binary variables stand for each pair of statements i < j and each level: p is one if i comes
first, e if both share the loop; if neither, j comes first.  A set is given by linear constraints on
these, and its integer points are interleavings, each of them once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, permutations, product

from loopwright.basics.records import record
from loopwright.interleaving.preorders import Interleaving, preorder_of

FIRST, TOGETHER, LAST = range(3)
"""The states of a pair: p = 1, e = 1, neither."""
STATES = (FIRST, TOGETHER, LAST)
ANY = 0b111
"""All of them, as bits."""
MOST_PAIRS = 3
"""Constraints on so many pairs become tables."""


@record
class Pair:
    """Two statements at a level, the first one with the lower number."""

    level: int
    first: int
    second: int


Variable = tuple[str, Pair]
"""``p`` or ``e`` of a pair."""
Weights = Mapping[tuple[int, int], float]
"""What it is worth that two statements, the lower number first, share their outermost loop."""


@record(slots=False)
class Constraint:
    """The terms and the constant are zero or more, together."""

    terms: tuple[tuple[Variable, int], ...]
    constant: int = 0

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs that it is about."""
        return tuple(dict.fromkeys(pair for (_, pair), _ in self.terms))

    def holds(self, state: Callable[[Pair], int]) -> bool:
        """Does it hold where each pair has its state?"""
        wanted = {"p": FIRST, "e": TOGETHER}
        value = sum(factor for (kind, pair), factor in self.terms if state(pair) == wanted[kind])
        return value + self.constant >= 0


def comes_first(first: int, second: int, level: int = 0) -> tuple[list[tuple[Variable, int]], int]:
    """The linear form that is one if a statement does not come after the other one, else zero."""
    if first < second:
        pair = Pair(level, first, second)
        return [(("p", pair), 1), (("e", pair), 1)], 0
    return [(("p", Pair(level, second, first)), -1)], 1


def is_shared(first: int, second: int, level: int = 0) -> tuple[Variable, int]:
    """The term that is one if both share the loop."""
    return ("e", Pair(level, min(first, second), max(first, second))), 1


def _bounds(pair: Pair) -> list[Constraint]:
    """Both variables are zero or one, and not both are one."""
    before, equal = ("p", pair), ("e", pair)
    return [
        Constraint(((before, 1),)),
        Constraint(((before, -1),), 1),
        Constraint(((equal, 1),)),
        Constraint(((equal, -1),), 1),
        Constraint(((before, -1), (equal, -1)), 1),
    ]


def _transitive(triple: Sequence[int], level: int) -> Constraint:
    """If a does not come after b, nor b after c, then a does not come after c.

    A relation is a total preorder if this holds for all triples in all orders, and the variables
    make it total.  These six constraints for three statements take the place of the seven in §3.1:
    as printed, those have 17 points for three statements, not 13.
    """
    a, b, c = triple
    terms: dict[Variable, int] = {}
    constant = 1
    for pair, sign in (((a, b), -1), ((b, c), -1), ((a, c), 1)):
        form, rest = comes_first(*pair, level)
        constant += sign * rest
        for variable, factor in form:
            terms[variable] = terms.get(variable, 0) + sign * factor
    return Constraint(tuple(terms.items()), constant)


@record(eq=False, slots=False)
class Space:
    """The interleavings of ``count`` statements at ``depth`` levels that meet the constraints."""

    count: int
    depth: int
    constraints: tuple[Constraint, ...]

    def restricted(self, constraints: Iterable[Constraint]) -> Space:
        """The points that meet further constraints, too."""
        return replace(self, constraints=(*self.constraints, *constraints))

    @cached_property
    def _pairs(self) -> list[Pair]:
        """In the order of the search: statement by statement."""
        return [
            Pair(level, first, second)
            for second in range(self.count)
            for level in range(self.depth)
            for first in range(second)
        ]

    @cached_property
    def _search(self) -> _Search:
        return _Search(self._pairs, self.constraints)

    def __iter__(self) -> Iterator[Interleaving]:
        """All points, each once."""
        return map(self._interleaving, self._search.points())

    def size(self) -> int:
        """How many points there are."""
        return sum(1 for _ in self._search.points())

    def __contains__(self, interleaving: Interleaving) -> bool:
        """Is it one of the points?"""
        if len(interleaving.levels) != self.depth:
            return False

        def state(pair: Pair) -> int:
            ranks = interleaving.levels[pair.level].ranks
            return _order(ranks[pair.first], ranks[pair.second])

        return all(each.holds(state) for each in self.constraints)

    def best(self, weights: Weights) -> Interleaving | None:
        """A point with the largest sum of the weights of the pairs that share the outer loop.

        Of several, the one is taken that keeps most of the statements' own order.
        """
        worth = [
            weights.get((pair.first, pair.second), 0.0) if pair.level == 0 else 0.0
            for pair in self._pairs
        ]
        states = self._search.best(worth)
        return None if states is None else self._interleaving(states)

    def most_fused(self) -> Interleaving | None:
        """A point in which as many pairs as possible share the outer loop."""
        return self.best(dict.fromkeys(combinations(range(self.count), 2), 1.0))

    def most_distributed(self) -> Interleaving | None:
        """A point in which as few pairs as possible share the outer loop."""
        return self.best(dict.fromkeys(combinations(range(self.count), 2), -1.0))

    def dimensions(self) -> int:
        """How many variables are left once those are set that the constraints decide."""
        return sum(each.bit_count() - 1 for each in self._search.domains)

    def remaining(self) -> int:
        """How many constraints are left then."""
        return self._search.remaining(self.constraints)

    def _interleaving(self, states: Sequence[int]) -> Interleaving:
        before = [[0] * self.count for _ in range(self.depth)]
        for pair, state in zip(self._pairs, states, strict=True):
            if state != TOGETHER:
                before[pair.level][pair.second if state == FIRST else pair.first] += 1
        return Interleaving(tuple(map(preorder_of, before)))


def _order(first: int, second: int) -> int:
    return FIRST if first < second else TOGETHER if first == second else LAST


def interleavings(count: int, depth: int = 1) -> Space:
    """The set I of all interleavings; with one level it is O, that of all total preorders.

    >>> interleavings(3).size(), interleavings(2, depth=2).size()
    (13, 5)
    """
    found: list[Constraint] = []
    for level in range(depth):
        for first, second in combinations(range(count), 2):
            found += _bounds(Pair(level, first, second))
        for triple in combinations(range(count), 3):
            found += [_transitive(each, level) for each in permutations(triple)]
        if level:
            for first, second in combinations(range(count), 2):
                found += _stay_apart(Pair(level - 1, first, second), Pair(level, first, second))
    return Space(count, depth, tuple(found))


def _stay_apart(outer: Pair, inner: Pair) -> list[Constraint]:
    """What comes first at a level comes first at the next one, on either side."""
    return [
        Constraint(((("p", inner), 1), (("p", outer), -1))),
        Constraint(((("p", outer), 1), (("e", outer), 1), (("p", inner), -1), (("e", inner), -1))),
    ]


@record(slots=False)
class _Table:
    """What the states of other pairs leave for one pair, in bits."""

    others: tuple[int, ...]
    """Positions in the search."""
    masks: tuple[int, ...]
    """By the states of the others, as digits of a number with base three."""


class _Search:
    """A search through the states of pairs, one after the other."""

    def __init__(self, pairs: Sequence[Pair], constraints: Iterable[Constraint]) -> None:
        self.position = {pair: at for at, pair in enumerate(pairs)}
        self.domains = [ANY] * len(pairs)
        allowed: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
        self.wide: list[list[Constraint]] = [[] for _ in pairs]
        self.is_empty = False
        for each in constraints:
            places = sorted(self.position[pair] for pair in each.pairs)
            if not places:
                self.is_empty |= each.constant < 0
            elif len(places) > MOST_PAIRS:
                self.wide[places[-1]].append(each)
            else:
                kept = _allowed(each, places, self.position)
                allowed[tuple(places)] = allowed.get(tuple(places), kept) & kept
        self._decide(allowed)
        self.tables: list[list[_Table]] = [[] for _ in pairs]
        for places, states in allowed.items():
            if len(places) > 1:
                self.tables[places[-1]].append(_Table(places[:-1], _masks(places, states)))

    def _decide(self, allowed: Mapping[tuple[int, ...], set[tuple[int, ...]]]) -> None:
        """Leave each pair only those states that every table has for it."""
        changed = True
        while changed:
            changed = False
            for places, states in allowed.items():
                alive = [each for each in states if self._is_possible(places, each)]
                for at, place in enumerate(places):
                    seen = 0
                    for each in alive:
                        seen |= 1 << each[at]
                    if self.domains[place] & seen != self.domains[place]:
                        self.domains[place] &= seen
                        changed = True

    def _is_possible(self, places: Sequence[int], states: Sequence[int]) -> bool:
        pairs = zip(places, states, strict=True)
        return all(self.domains[place] >> state & 1 for place, state in pairs)

    def _left(self, at: int, states: Sequence[int]) -> int:
        """The states that are left for a pair, given those before it."""
        mask = self.domains[at]
        for table in self.tables[at]:
            index = 0
            for other in table.others:
                index = 3 * index + states[other]
            mask &= table.masks[index]
            if not mask:
                return 0
        for each in self.wide[at]:
            mask &= self._of_wide(each, at, states)
        return mask

    def _of_wide(self, constraint: Constraint, at: int, states: Sequence[int]) -> int:
        found = 0
        for last in STATES:

            def state(pair: Pair, last: int = last) -> int:
                place = self.position[pair]
                return last if place == at else states[place]

            found |= constraint.holds(state) << last
        return found

    def points(self) -> Iterator[Sequence[int]]:
        """All states that meet the constraints; the list is reused."""
        count = len(self.domains)
        states, left = [0] * count, [0] * count
        if self.is_empty:
            return
        if not count:
            yield states
            return
        at, left[0] = 0, self._left(0, states)
        while at >= 0:
            mask = left[at]
            if not mask:
                at -= 1
                continue
            lowest = mask & -mask
            left[at] = mask ^ lowest
            states[at] = lowest.bit_length() - 1
            if at + 1 == count:
                yield states
            else:
                at += 1
                left[at] = self._left(at, states)

    def best(self, worth: Sequence[float]) -> list[int] | None:
        """States with the largest sum of what it is worth that pairs are together."""
        count = len(self.domains)
        hoped = [0.0] * (count + 1)
        for at in range(count - 1, -1, -1):
            may = self.domains[at] >> TOGETHER & 1
            must = self.domains[at] == 1 << TOGETHER
            gain = worth[at] if must else max(0.0, worth[at]) if may else 0.0
            hoped[at] = hoped[at + 1] + gain
        found: list[int] | None = None
        most = 0.0
        states, left, sums = [0] * count, [0] * count, [0.0] * (count + 1)
        if self.is_empty:
            return None
        at = 0
        if count:
            left[0] = self._left(0, states)
        while at >= 0:
            if at == count:
                if found is None or sums[at] > most:
                    found, most = list(states), sums[at]
                at -= 1
                continue
            mask = left[at]
            if not mask or (found is not None and sums[at] + hoped[at] <= most):
                at -= 1
                continue
            state = _preferred(mask, worth[at])
            left[at] = mask ^ 1 << state
            states[at] = state
            sums[at + 1] = sums[at] + (worth[at] if state == TOGETHER else 0.0)
            at += 1
            if at < count:
                left[at] = self._left(at, states)
        return found

    def remaining(self, constraints: Iterable[Constraint]) -> int:
        """How many constraints the domains alone do not imply; each bound of a variable is one."""
        found = 0
        for each in constraints:
            places = [self.position[pair] for pair in each.pairs]
            free = [place for place in places if self.domains[place].bit_count() > 1]
            if len(places) == 1:
                continue
            if len(places) > MOST_PAIRS:
                found += bool(free)
                continue
            states = product(*(_bits(self.domains[place]) for place in places))
            found += any(not _meets(each, dict(zip(each.pairs, s, strict=True))) for s in states)
        bounds = {1: 0, 2: 2, 3: 5}
        return found + sum(bounds[each.bit_count()] for each in self.domains)


def _preferred(mask: int, worth: float) -> int:
    """The state to try first: together if that is worth something, else the statements' order."""
    if worth > 0 and mask >> TOGETHER & 1:
        return TOGETHER
    return (mask & -mask).bit_length() - 1


def _bits(mask: int) -> list[int]:
    return [state for state in STATES if mask >> state & 1]


def _meets(constraint: Constraint, states: Mapping[Pair, int]) -> bool:
    return constraint.holds(states.__getitem__)


def _allowed(
    constraint: Constraint, places: Sequence[int], position: Mapping[Pair, int]
) -> set[tuple[int, ...]]:
    pairs = sorted(constraint.pairs, key=position.__getitem__)
    assert len(pairs) == len(places)
    return {
        states
        for states in product(STATES, repeat=len(pairs))
        if _meets(constraint, dict(zip(pairs, states, strict=True)))
    }


def _masks(places: Sequence[int], allowed: set[tuple[int, ...]]) -> tuple[int, ...]:
    """The states of the last place, for each states of the others."""
    return tuple(
        sum(1 << last for last in STATES if (*others, last) in allowed)
        for others in product(STATES, repeat=len(places) - 1)
    )
