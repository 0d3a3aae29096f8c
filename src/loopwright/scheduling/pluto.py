"""The integer problem of one member of a permutable band (PPCG §6.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopwright.polyhedra.farkas import Multiplier
from loopwright.polyhedra.integer_matrices import independent_directions
from loopwright.polyhedra.lexmin import LexicographicMinimum
from loopwright.polyhedra.nontrivial import Region, best_solution
from loopwright.scheduling.graph import Edge
from loopwright.scheduling.ilp import Layout, Row
from loopwright.scheduling.units import Unit
from loopwright.scheduling.workshop import Workshop

SMALL = 2
"""Factors up to this are never worth another search."""


class PlutoProblem:
    """The problem of one member: bounds on what a band's units may do (§6.5.5).

    Unknowns: the sum of the factors of the parameters in the bound on distances, the constant of
    the bound, the sum of the factors of parameters, the sum of all other factors, the bound, and
    then the units.
    """

    def __init__(self, shop: Workshop, units: Sequence[Unit]) -> None:
        self.shop = shop
        self.parameters = shop.parameters
        self.layout = Layout(tuple(units), shop.parameters, 4 + 2 * shop.parameters)
        bound = range(4, 4 + 2 * shop.parameters)
        sums = {
            0: dict.fromkeys(bound, 1),
            2: dict.fromkeys(self.layout.all_parameters(), 1),
            3: dict.fromkeys(self.layout.all_factors(), 1),
        }
        self.problem = LexicographicMinimum(self.layout.size, sums, shop.allowance)
        self.seen: set[tuple[bool, frozenset[tuple[int, int]]]] = set()
        self._limit_sizes()

    def _limit_sizes(self) -> None:
        """Bounds on factors and constants (§7.5.3, and those that a user sets)."""
        options = self.shop.options
        for at, unit in enumerate(self.layout.units):
            for function in range(unit.dimensions):
                bounds = [options.max_coefficient, *unit.bounds[function : function + 1]]
                given = [each for each in bounds if each is not None]
                if given:
                    negative = self.layout.negative(at, function)
                    self.problem.at_least_zero({negative: -1}, min(given))
                    self.problem.at_least_zero({negative + 1: -1}, min(given))
            if options.max_constant_term is not None:
                constant = self.layout.constant(at)
                self.problem.at_least_zero({constant: -1}, options.max_constant_term)

    def ask(self, edges: Iterable[Edge], *, coincidence: bool, local: frozenset[int]) -> None:
        """What the pairs demand.  ``local`` are the conditions that must stay together."""
        edges = list(edges)
        for at, edge in enumerate(edges):
            if (coincidence and edge.is_coincidence) or at in local:
                for multiplier in self.shop.farkas.of_edge(edge):
                    self._add(self.layout.difference(edge, multiplier), is_equality=True)
        for edge in edges:
            if edge.is_validity:
                for multiplier in self.shop.farkas.of_edge(edge):
                    row = self.layout.difference(edge, multiplier)
                    self._add(row, is_equality=multiplier.is_equality)
        for edge in edges:
            if edge.is_proximity:
                self._bound(edge)

    def _bound(self, edge: Edge) -> None:
        """Bound the distance from above and, unless validity does, from below (§6.5.2)."""
        for sign in (1,) if edge.is_validity else (1, -1):
            for multiplier in self.shop.farkas.of_edge(edge):
                row = self.layout.difference(edge, multiplier, -sign)
                self._add_bound(row, multiplier)
                self._add(row, is_equality=multiplier.is_equality)

    def _add_bound(self, row: Row, multiplier: Multiplier) -> None:
        if multiplier.constant:
            row[1] = multiplier.constant
        for at, value in enumerate(multiplier.parameters):
            if value:
                row[4 + 2 * at], row[5 + 2 * at] = -value, value

    def _add(self, row: Row, *, is_equality: bool) -> None:
        key = (is_equality, frozenset(row.items()))
        if key in self.seen:
            return
        self.seen.add(key)
        if is_equality:
            self.problem.exactly_zero(row)
        else:
            self.problem.at_least_zero(row)

    def solve(self, previous: Sequence[Sequence[Sequence[int]]]) -> list[int] | None:
        """The next member: independent of the previous ones where a unit needs it most."""
        directions = [
            independent_directions(rows, unit.dimensions)
            for unit, rows in zip(self.layout.units, previous, strict=True)
        ]
        most = max(map(len, directions))
        regions = [
            [self.layout.direction(at, row) for row in rows]
            for at, rows in enumerate(directions)
            if len(rows) == most
        ]
        found = best_solution(self.problem.copy(), regions)
        return None if found is None else self._with_smaller_factors(found, regions)

    def _with_smaller_factors(self, found: list[int], regions: Sequence[Region]) -> list[int]:
        """As good a solution with smaller factors, if they are large.

        Large factors may lower the bound on distances by a constant, as 50 z + y does where y runs
        from its last value back to the first; we rather have simple functions (§6.6.2).  The
        factors of the parameters in the bound may not grow.
        """
        largest = max((found[each] for each in self.layout.all_factors()), default=0)
        limit = 1
        while limit < largest and largest > SMALL:
            problem = self.problem.copy()
            problem.at_least_zero({0: -1}, found[0])
            for each in self.layout.all_factors():
                problem.at_least_zero({each: -1}, limit)
            smaller = best_solution(problem, regions)
            if smaller is not None:
                return smaller
            limit *= 2
        return found
