"""Bands of permutable members, one integer problem after the other (PPCG §6.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import islpy as isl

from loopwright.polyhedra.integer_matrices import independent_directions
from loopwright.polyhedra.lexmin import LexicographicMinimum
from loopwright.scheduling.farkas import Multiplier
from loopwright.scheduling.graph import Affine, Edge, coscheduled, sink_first
from loopwright.scheduling.ilp import Layout, Row
from loopwright.scheduling.nontrivial import best_solution
from loopwright.scheduling.units import Member, Unit
from loopwright.scheduling.workshop import Workshop


@dataclass(frozen=True, eq=False)
class BandMember:
    """One member of a band: what each unit and each statement does in it."""

    of_units: tuple[Member, ...]
    functions: dict[int, Affine]
    is_coincident: bool


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
        return best_solution(self.problem.copy(), regions)


@dataclass(frozen=True, eq=False)
class Band:
    """Permutable members; ``is_complete`` if nothing is left for an inner band to schedule."""

    members: tuple[BandMember, ...]
    is_complete: bool

    @property
    def coincident(self) -> int:
        """How many members are coincident; they come first."""
        return sum(member.is_coincident for member in self.members)


def compute_band(shop: Workshop, units: Sequence[Unit], edges: Sequence[Edge]) -> Band:
    """A band for units under all that is asked of them.

    Where a member violates a conditioned constraint next to a condition whose ends it puts apart,
    such conditions become local, and the band is computed anew (§6.5.4).
    """
    local: frozenset[int] = frozenset()
    while True:
        attempt = _Attempt(shop, units, edges, local)
        conflicts = attempt.run()
        if not conflicts:
            return attempt.band
        local |= conflicts


class _Attempt:
    """One computation of a band with some conditions local."""

    def __init__(
        self, shop: Workshop, units: Sequence[Unit], edges: Sequence[Edge], local: frozenset[int]
    ) -> None:
        self.shop = shop
        self.units = units
        self.edges = edges
        self.local = local
        self.members: list[BandMember] = []
        self.is_complete = False

    @property
    def band(self) -> Band:
        return Band(tuple(self.members), self.is_complete)

    def run(self) -> frozenset[int]:
        """Compute members until there are no more; the conditions that have to be local, if any."""
        coincidence = True
        problem = self._problem(coincidence)
        previous = [list(unit.previous) for unit in self.units]
        while True:
            if all(
                not independent_directions(rows, unit.dimensions)
                for unit, rows in zip(self.units, previous, strict=True)
            ):
                self.is_complete = True
                return frozenset()
            solution = problem.solve(previous)
            if solution is None:
                is_forced = not self.members and self.shop.options.outer_coincidence
                if not coincidence or is_forced or not self._has_coincidence():
                    return frozenset()
                coincidence = False
                problem = self._problem(coincidence)
                continue
            self._accept(problem.layout.members(solution), coincidence)
            for rows, member in zip(previous, self.members[-1].of_units, strict=True):
                rows.append(member.factors)
            conflicts = conflicting_conditions(
                self.shop, self.edges, [each.functions for each in self.members]
            )
            if conflicts:
                return conflicts

    def _has_coincidence(self) -> bool:
        return any(edge.is_coincidence for edge in self.edges)

    def _problem(self, coincidence: bool) -> PlutoProblem:
        problem = PlutoProblem(self.shop, self.units)
        problem.ask(self.edges, coincidence=coincidence, local=self.local)
        return problem

    def _accept(self, solution: Sequence[Member], coincidence: bool) -> None:
        functions = {
            statement: unit.combination(statement, member)
            for unit, member in zip(self.units, solution, strict=True)
            for statement in unit.functions
        }
        self.members.append(BandMember(tuple(solution), functions, coincidence))


def conflicting_conditions(
    shop: Workshop, edges: Sequence[Edge], members: Sequence[dict[int, Affine]]
) -> frozenset[int]:
    """The conditions that are apart in a member and adjacent to what a member puts out of order."""
    late: list[tuple[Edge, isl.Map]] = []
    for edge in edges:
        if edge.is_conditioned and not edge.is_validity:
            pairs = _out_of_order(shop, edge, members)
            if pairs is not None:
                late.append((edge, pairs))
    if not late:
        return frozenset()
    found: set[int] = set()
    for at, edge in enumerate(edges):
        if edge.is_condition:
            near = [each for each in late if _may_be_adjacent(edge, each[0])]
            if near and _is_adjacent(edge, _apart(edge, members), near):
                found.add(at)
    return frozenset(found)


def _out_of_order(
    shop: Workshop, edge: Edge, members: Sequence[dict[int, Affine]]
) -> isl.Map | None:
    found: isl.Map | None = None
    for functions in members:
        source, sink = functions[edge.source], functions[edge.sink]
        if not shop.farkas.is_valid(edge, source, sink):
            late = sink_first(edge, source, sink)
            if not late.is_empty():
                found = late if found is None else found.union(late)
    return found


def _apart(edge: Edge, members: Sequence[dict[int, Affine]]) -> isl.Map:
    functions = [(each[edge.source], each[edge.sink]) for each in members]
    together = coscheduled(edge, functions)
    return edge.pairs if together is None else edge.pairs.subtract(together.pairs)


def _may_be_adjacent(condition: Edge, late: Edge) -> bool:
    return _follows(condition, late) or _follows(late, condition)


def _follows(first: Edge, second: Edge) -> bool:
    """Is the sink of one the source of the other, by the same reference?"""
    return first.sink == second.source and first.tags[1] == second.tags[0]


def _is_adjacent(condition: Edge, apart: isl.Map, late: Sequence[tuple[Edge, isl.Map]]) -> bool:
    if apart.is_empty():
        return False
    return any(
        (_follows(condition, edge) and not apart.range().is_disjoint(pairs.domain()))
        or (_follows(edge, condition) and not pairs.range().is_disjoint(apart.domain()))
        for edge, pairs in late
    )
