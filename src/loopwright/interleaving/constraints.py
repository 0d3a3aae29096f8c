"""Linear constraints on interleavings, and what they leave to each pair of statements (§3.1).

Two binary variables stand for each pair of statements i < j and each level: p is one if i comes
first, e if both share the loop; if neither, j comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import combinations, permutations

from loopwright.basics.graphs import connected_components
from loopwright.basics.records import record

FIRST, TOGETHER, LAST = range(3)
"""The orders of a pair: p = 1, e = 1, neither."""
ORDERS = (FIRST, TOGETHER, LAST)
ANY = 0b111
"""All of them, as bits."""
NOT_AFTER = 1 << FIRST | 1 << TOGETHER
AFTER = 1 << LAST


@record
class Pair:
    """Two statements at a level, the first one with the lower number."""

    level: int
    first: int
    second: int


Variable = tuple[str, Pair]
"""``p`` or ``e`` of a pair."""


@record(slots=False)
class Constraint:
    """The terms and the constant are zero or more, together."""

    terms: tuple[tuple[Variable, int], ...]
    constant: int = 0

    @cached_property
    def values(self) -> dict[Pair, list[int]]:
        """What each pair adds in each of its orders."""
        found: dict[Pair, list[int]] = {}
        for (kind, pair), factor in self.terms:
            found.setdefault(pair, [0] * len(ORDERS))[FIRST if kind == "p" else TOGETHER] += factor
        return found

    def holds(self, order: Callable[[Pair], int]) -> bool:
        """Does it hold where each pair has its order?"""
        values = self.values.items()
        return sum(each[order(pair)] for pair, each in values) + self.constant >= 0

    def is_certain(self, left: Callable[[Pair], int]) -> bool:
        """Does it hold whatever is chosen of the orders that are left to each pair?"""
        least = (min(_left(each, left(pair))) for pair, each in self.values.items())
        return sum(least) + self.constant >= 0

    def keeps(self, left: Callable[[Pair], int]) -> dict[Pair, int]:
        """The orders of each pair that go with some orders that are left to the others."""
        most = {pair: max(_left(each, left(pair))) for pair, each in self.values.items()}
        slack = sum(most.values()) + self.constant
        return {
            pair: sum(1 << order for order in ORDERS if each[order] + slack >= most[pair])
            for pair, each in self.values.items()
        }

    @cached_property
    def kept_apart(self) -> frozenset[int] | None:
        """The statements that do not all share a loop, if it says this and no more (8)."""
        pairs = list(self.values)
        statements = sorted({each for pair in pairs for each in (pair.first, pair.second)})
        edges = [(pair.first, pair.second) for pair in pairs]
        is_of_form = (
            all(each == [0, -1, 0] for each in self.values.values())
            and self.constant == len(pairs) - 1
            and len({pair.level for pair in pairs}) == 1
            and len(connected_components(statements, edges)) == 1
        )
        return frozenset(statements) if is_of_form else None


def _left(values: Sequence[int], mask: int) -> list[int]:
    return [values[order] for order in ORDERS if mask >> order & 1]


def comes_first(first: int, second: int, level: int = 0) -> tuple[list[tuple[Variable, int]], int]:
    """The linear form that is one if a statement does not come after the other one, else zero."""
    if first < second:
        pair = Pair(level, first, second)
        return [(("p", pair), 1), (("e", pair), 1)], 0
    return [(("p", Pair(level, second, first)), -1)], 1


def is_shared(first: int, second: int, level: int = 0) -> tuple[Variable, int]:
    """The term that is one if both share the loop."""
    return ("e", Pair(level, min(first, second), max(first, second))), 1


# --- the constraints of all interleavings ---------------------------------------------------------


def of_all_interleavings(count: int, depth: int) -> list[Constraint]:
    """Those of the set I, level by level."""
    found: list[Constraint] = []
    for level in range(depth):
        for first, second in combinations(range(count), 2):
            found += _bounds(Pair(level, first, second))
        for triple in combinations(range(count), 3):
            found += [_transitive(each, level) for each in permutations(triple)]
        if level:
            for first, second in combinations(range(count), 2):
                found += _stay_apart(Pair(level - 1, first, second), Pair(level, first, second))
    return found


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
    as printed, those have 17 points for three statements, not 13, since none of them follows from
    s = 1.  If the last one, e_ij + p_ij + p_jk ≤ 1 + p_ik, which the others imply, is read as
    p_ik + e_ik ≤ e_ij + p_ij + p_jk, they have 13.
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


def _stay_apart(outer: Pair, inner: Pair) -> list[Constraint]:
    """What comes first at a level comes first at the next one, on either side."""
    return [
        Constraint(((("p", inner), 1), (("p", outer), -1))),
        Constraint(((("p", outer), 1), (("e", outer), 1), (("p", inner), -1), (("e", inner), -1))),
    ]


# --- what constraints leave -----------------------------------------------------------------------


def _composed(one: int, other: int) -> int:
    """What is left to (a, c), given what is left to (a, b) and to (b, c)."""
    found = 0
    for first in ORDERS:
        for second in ORDERS:
            if one >> first & 1 and other >> second & 1:
                if TOGETHER in (first, second):
                    found |= 1 << (second if first == TOGETHER else first)
                else:
                    found |= 1 << first if first == second else ANY
    return found


COMPOSED = tuple(tuple(_composed(one, other) for other in range(8)) for one in range(8))
REVERSED = tuple(sum(1 << LAST - each for each in ORDERS if mask >> each & 1) for mask in range(8))


class Contradiction(Exception):
    """Nothing is left to some pair."""


class Orders:
    """The orders that constraints leave to pairs of statements, in bits.

    Nothing is left that a single constraint excludes, nor what has no counterpart in some pair with
    a third statement or at another level.  Raises ``Contradiction`` if this leaves nothing at all.
    """

    def __init__(self, count: int, depth: int, constraints: Sequence[Constraint]) -> None:
        self.count = count
        self.levels = [
            [[1 << TOGETHER if i == j else ANY for j in range(count)] for i in range(count)]
            for _ in range(depth)
        ]
        self._changed: list[tuple[int, int, int]] = []
        about: dict[tuple[int, int, int], list[Constraint]] = {}
        for each in constraints:
            if not each.terms and each.constant < 0:
                raise Contradiction
            if len(each.values) > 1:
                for pair in each.values:
                    about.setdefault((pair.level, pair.first, pair.second), []).append(each)
            self._obey(each)
        while self._changed:
            level, i, j = self._changed.pop()
            self._compose(level, i, j)
            self._compare_levels(level, i, j)
            for each in about.get((level, min(i, j), max(i, j)), ()):
                self._obey(each)

    def of(self, pair: Pair) -> int:
        """What is left to a pair."""
        return self.levels[pair.level][pair.first][pair.second]

    def _narrow(self, level: int, i: int, j: int, mask: int) -> None:
        rows = self.levels[level]
        left = rows[i][j] & mask
        if left != rows[i][j]:
            if not left:
                raise Contradiction
            rows[i][j], rows[j][i] = left, REVERSED[left]
            self._changed.append((level, i, j))

    def _obey(self, constraint: Constraint) -> None:
        for pair, mask in constraint.keeps(self.of).items():
            self._narrow(pair.level, pair.first, pair.second, mask)

    def _compose(self, level: int, i: int, j: int) -> None:
        rows = self.levels[level]
        for one, other in ((i, j), (j, i)):
            row, further = rows[one], rows[other]
            known = COMPOSED[row[other]]
            for third in range(self.count):
                mask = known[further[third]]
                if row[third] & mask != row[third]:
                    self._narrow(level, one, third, mask)

    def _compare_levels(self, level: int, i: int, j: int) -> None:
        """What is apart at a level has the same order at the next one."""
        left = self.levels[level][i][j]
        if level:
            self._narrow(level - 1, i, j, left | 1 << TOGETHER)
        if level + 1 < len(self.levels) and not left >> TOGETHER & 1:
            self._narrow(level + 1, i, j, left)

    def undecided(self) -> int:
        """How many variables are left."""
        pairs = combinations(range(self.count), 2)
        return sum(rows[i][j].bit_count() - 1 for i, j in pairs for rows in self.levels)

    def uncertain(self) -> int:
        """How many of the constraints of all interleavings do not hold by themselves.

        Each bound of a variable is one, and so are p + e ≤ 1 and what makes the order transitive.
        """
        bounds = {1: 0, 2: 2, 3: 5}
        found = 0
        for level, rows in enumerate(self.levels):
            for i, j in combinations(range(self.count), 2):
                found += bounds[rows[i][j].bit_count()]
                if level:
                    pairs = Pair(level - 1, i, j), Pair(level, i, j)
                    found += sum(not each.is_certain(self.of) for each in _stay_apart(*pairs))
            for triple in combinations(range(self.count), 3):
                found += sum(
                    bool(rows[a][b] & NOT_AFTER and rows[b][c] & NOT_AFTER and rows[a][c] & AFTER)
                    for a, b, c in permutations(triple)
                )
        return found


def uncertain(orders: Orders, constraints: Iterable[Constraint]) -> int:
    """How many constraints on more than one pair do not hold by themselves."""
    return sum(len(each.values) > 1 and not each.is_certain(orders.of) for each in constraints)
