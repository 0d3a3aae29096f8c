"""Exact lexicographic minimisation over non-negative unknowns, one constraint at a time.

This is the dual simplex method of Feautrier (1988) with Gomory's cuts: the unknowns start at zero,
the least point of all, and each constraint that the point violates moves it to the least point that
satisfies what was asked so far.  Constraints can thus be added to a solved problem, and a copy of
it costs little; a search that tries cases shares the work before the branch (PPCG §6.5.7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd, lcm
from time import monotonic

Coefficients = Mapping[int, int]
"""Of the unknowns, by their numbers; those that are not named count nothing."""


class NoSolution(Exception):
    """The constraints contradict each other."""


class OutOfTime(Exception):
    """The search took longer than it was allowed."""


class Allowance:
    """The seconds that are left, shared by a problem and its copies; ``None`` is any number."""

    __slots__ = ("end", "steps")

    def __init__(self, seconds: float | None = None) -> None:
        self.end = None if seconds is None else monotonic() + seconds
        self.steps = 0

    @property
    def left(self) -> float | None:
        """The seconds."""
        return None if self.end is None else max(0.0, self.end - monotonic())

    def spend(self) -> None:
        """One more step, if there is time for it."""
        self.steps += 1
        if self.end is not None and self.steps % STEPS_A_LOOK == 0 and monotonic() > self.end:
            raise OutOfTime


STEPS_A_LOOK = 16
"""So many steps are taken between two looks at the clock."""

MOST_AT_ONCE = 10
"""So many violated constraints are taken up together."""

Row = tuple[int, int, dict[int, int]]
"""A denominator, a constant and coefficients of the unknowns that are zero now."""


class LexicographicMinimum:
    """The least non-negative values of unknowns 0, 1, 2, … under linear constraints.

    The first unknown is made as small as possible, then the second, and so on.  ``sums`` names
    unknowns that are sums of others with non-negative factors, all of which have higher numbers.

    >>> problem = LexicographicMinimum(3, sums={0: {1: 1, 2: 1}})
    >>> problem.at_least_zero({1: 2, 2: 3}, -7)
    >>> problem.solution()
    [3, 0, 3]
    """

    def __init__(
        self,
        size: int,
        sums: Mapping[int, Coefficients] | None = None,
        allowance: Allowance | None = None,
    ) -> None:
        self.size = size
        self.next_unknown = size
        self.rows: dict[int, Row] = {
            unknown: (1, 0, {each: factor for each, factor in parts.items() if factor})
            for unknown, parts in (sums or {}).items()
        }
        self.waiting: list[tuple[Coefficients, int]] = []
        """Constraints that no point has violated yet."""
        self.cuts: set[int] = set()
        """The slacks of cuts: once a cut does not touch the point any more, it is left out."""
        self.allowance = allowance or Allowance()

    def copy(self) -> LexicographicMinimum:
        """The same problem, to be constrained further on its own."""
        twin = LexicographicMinimum(self.size, None, self.allowance)
        twin.next_unknown = self.next_unknown
        twin.rows = dict(self.rows)
        twin.waiting = list(self.waiting)
        twin.cuts = set(self.cuts)
        return twin

    # --- constraints -----------------------------------------------------------------------------

    def at_least_zero(self, coefficients: Coefficients, constant: int = 0) -> None:
        """Ask that the sum of the coefficients times the unknowns, plus the constant, is >= 0.

        Most of the constraints of a large problem never matter: each waits until a point violates
        it.  So it is :meth:`solution` that finds out whether there is one.
        """
        self.waiting.append((coefficients, constant))

    def exactly_zero(self, coefficients: Coefficients, constant: int = 0) -> None:
        """Ask that the sum of the coefficients times the unknowns, plus the constant, is zero.

        One exchange makes the sum an unknown that is zero; it stays so and is left out for good.
        """
        denominator, value, row = self._expressed(coefficients, constant)
        if value > 0 or (value == 0 and all(factor < 0 for factor in row.values())):
            value, row = -value, {each: -factor for each, factor in row.items()}
        if not row:
            if value:
                raise NoSolution
            return
        slack = self.next_unknown
        self.next_unknown += 1
        self.rows[slack] = denominator, value, row
        self.allowance.spend()
        self._pivot(slack, self._entering(row), for_good=True)
        self._repair()

    def _expressed(self, coefficients: Coefficients, constant: int) -> Row:
        """The sum in the unknowns that are zero now."""
        denominator = 1
        total: dict[int, int] = {}
        for unknown, factor in coefficients.items():
            if not factor:
                continue
            row = self.rows.get(unknown)
            if row is None:
                total[unknown] = total.get(unknown, 0) + factor * denominator
                continue
            common = lcm(denominator, row[0])
            if common != denominator:
                scale = common // denominator
                total = {each: value * scale for each, value in total.items()}
                constant *= scale
                denominator = common
            scale = factor * (denominator // row[0])
            constant += scale * row[1]
            for each, value in row[2].items():
                total[each] = total.get(each, 0) + scale * value
        alive = {each: value for each, value in total.items() if value}
        return _reduced(denominator, constant, alive)

    # --- the least point -------------------------------------------------------------------------

    def solution(self, *, integral: bool = True) -> list[int]:
        """The least integer values; those of the numerators if they may be fractions.

        What comes back for fractions is the least rational point times its common denominator.
        """
        while True:
            common, values = self._point()
            late = self._late(common, values)
            if late:
                self._insert([self._expressed(*each) for each in late])
                continue
            fractions = self._fractions() if integral else []
            if not fractions:
                return values
            self._cut_off(fractions)

    def _point(self) -> tuple[int, list[int]]:
        """A common denominator, and the values of the unknowns times it."""
        rows = [self.rows.get(unknown, (1, 0, {})) for unknown in range(self.size)]
        common = lcm(
            *(denominator // gcd(denominator, constant) for denominator, constant, _ in rows)
        )
        return common, [constant * common // denominator for denominator, constant, _ in rows]

    def _late(self, common: int, values: Sequence[int]) -> list[tuple[Coefficients, int]]:
        """The constraints that the point violates most; they wait no longer."""
        found: list[tuple[float, int]] = []
        for at, (coefficients, constant) in enumerate(self.waiting):
            total = constant * common
            for unknown, factor in coefficients.items():
                total += factor * values[unknown]
            if total < 0:
                found.append((total / (sum(map(abs, coefficients.values())) or 1), at))
        worst = sorted(at for _, at in sorted(found)[:MOST_AT_ONCE])
        late = [self.waiting[at] for at in worst]
        for at in reversed(worst):
            del self.waiting[at]
        return late

    def _cut_off(self, fractions: Sequence[Row]) -> None:
        """Take a cut for each row; those that do not touch the point are of no further use."""
        first = self.next_unknown
        self.cuts.update(range(first, first + len(fractions)))
        self._insert([_cut(row) for row in fractions])
        for slack in range(first, self.next_unknown):
            self.rows.pop(slack, None)

    def _insert(self, rows: Sequence[Row]) -> None:
        """Satisfy further rows, too."""
        for row in rows:
            self.rows[self.next_unknown] = row
            self.next_unknown += 1
        self._repair()

    @property
    def is_integral(self) -> bool:
        """Has the least rational point integer values?"""
        return not self._fractions()

    def _fractions(self) -> list[Row]:
        """The rows of the unknowns that are not integers yet."""
        rows = (self.rows.get(unknown) for unknown in range(self.size))
        return [row for row in rows if row is not None and row[1] % row[0]]

    def _repair(self) -> None:
        """Move to the least point that satisfies all rows."""
        while True:
            unknown = self._most_violated()
            if unknown is None:
                return
            self.allowance.spend()
            self._pivot(unknown, self._entering(self.rows[unknown][2]))

    def _most_violated(self) -> int | None:
        """The row that asks for the longest way: any would do, but this one saves most steps."""
        longest, found = 0.0, None
        for unknown, (_, constant, row) in self.rows.items():
            if constant < 0:
                raising = sum(factor for factor in row.values() if factor > 0)
                way = constant / raising if raising else float("-inf")
                if way < longest:
                    longest, found = way, unknown
        return found

    def _entering(self, row: dict[int, int]) -> int:
        """The unknown that raises the row and moves the point up as little as possible."""
        rivals = [(each, factor) for each, factor in row.items() if factor > 0]
        if not rivals:
            raise NoSolution
        for tracked in range(self.size):
            if len(rivals) == 1:
                break
            basic = self.rows.get(tracked)
            if basic is None:
                rivals = [rival for rival in rivals if rival[0] != tracked]
                continue
            costs = basic[2]
            best, best_factor, least = costs.get(rivals[0][0], 0), rivals[0][1], [rivals[0]]
            for rival in rivals[1:]:
                cost, factor = costs.get(rival[0], 0), rival[1]
                difference = cost * best_factor - best * factor
                if difference < 0:
                    best, best_factor, least = cost, factor, [rival]
                elif difference == 0:
                    least.append(rival)
            rivals = least
        return rivals[0][0]

    def _pivot(self, leaving: int, entering: int, *, for_good: bool = False) -> None:
        """Exchange an unknown that has a row with one that is zero, perhaps to stay zero."""
        denominator, constant, row = self.rows.pop(leaving)
        factor = row[entering]
        rest = {each: -value for each, value in row.items() if each != entering}
        if not for_good:
            rest[leaving] = denominator
        solved = _reduced(factor, -constant, rest)
        self._substitute(entering, solved)
        if entering not in self.cuts:
            self.rows[entering] = solved

    def _substitute(self, unknown: int, solved: Row) -> None:
        factor, constant, rest = solved
        for each, (denominator, value, row) in list(self.rows.items()):
            share = row.get(unknown)
            if share is None:
                continue
            total = {key: entry * factor for key, entry in row.items() if key != unknown}
            for key, entry in rest.items():
                entry = total.get(key, 0) + share * entry
                if entry:
                    total[key] = entry
                else:
                    del total[key]
            new = _reduced(denominator * factor, value * factor + share * constant, total)
            if new[2] or each < self.size or new[1] < 0:
                self.rows[each] = new
            else:
                del self.rows[each]


def _reduced(denominator: int, constant: int, row: dict[int, int]) -> Row:
    if denominator == 1:
        return denominator, constant, row
    common = gcd(denominator, constant, *row.values())
    if common == 1:
        return denominator, constant, row
    return (
        denominator // common,
        constant // common,
        {each: value // common for each, value in row.items()},
    )


def _cut(row: Row) -> Row:
    """What the row must reach to be an integer, since the unknowns in it are (Gomory)."""
    denominator, constant, values = row
    steps = {each: value % denominator for each, value in values.items() if value % denominator}
    return denominator, -(-constant % denominator), steps
