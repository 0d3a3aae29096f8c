"""One member that carries as many groups of pairs as possible (PPCG §6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scheduling_trace import Problem
from loopwright.polyhedra.farkas import Multiplier
from loopwright.polyhedra.lexmin import LexicographicMinimum, NoSolution
from loopwright.scheduling.coalescing import coalesced
from loopwright.scheduling.graph import Affine, Edge, Functions, Graph
from loopwright.scheduling.ilp import Layout
from loopwright.scheduling.units import Member, unit_of
from loopwright.scheduling.workshop import Workshop


@record(eq=False, slots=False)
class Group:
    """The pairs of one disjunct between two statements (§6.4.4)."""

    edge: Edge
    multipliers: tuple[Multiplier, ...]


def carrying_function(shop: Workshop, graph: Graph, problems: list[Problem]) -> Functions | None:
    """A function that carries some of the pairs, or ``None`` if there is none.

    With forced outer coincidence the coincidence constraints are to be carried, too; if that is
    impossible, only the order is.
    """
    for coincidence in (True, False) if shop.options.outer_coincidence else (False,):
        groups = _groups(shop, graph, coincidence)
        own = [each for each in groups if each.edge.source == each.edge.sink]
        others = [each for each in groups if each.edge.source != each.edge.sink]
        attempts: list[tuple[list[Group], list[Group]]] = [(groups, [])]
        if shop.options.carry_self_first:
            attempts.insert(0, (own, others))
        for to_carry, to_respect in attempts:
            found = _carried(shop, graph, to_carry, to_respect)
            if to_carry:
                rows = sum(len(each.multipliers) for each in groups)
                size = 3 + len(to_carry) + _unknowns(shop, graph)
                problems.append(Problem("feautrier", size, rows, coincidence, found is not None))
            if found is not None:
                return _unscaled(found) if shop.options.split_scaled else found
    return None


def _groups(shop: Workshop, graph: Graph, coincidence: bool) -> list[Group]:
    """A group for each disjunct of what is to be carried, none of them twice."""
    seen: set[tuple[int, int, isl.BasicSet]] = set()
    found: list[Group] = []
    for edge in graph.edges:
        if edge.is_order or (coincidence and edge.is_coincidence):
            for disjunct in shop.farkas.disjuncts(edge):
                key = (edge.source, edge.sink, disjunct)
                if key not in seen:
                    seen.add(key)
                    found.append(Group(edge, shop.farkas.of_disjunct(edge, disjunct)))
    return found


def _unknowns(shop: Workshop, graph: Graph) -> int:
    return sum(2 * node.dimensions + shop.parameters + 1 for node in graph.nodes)


class _Problem:
    """Unknowns: how many groups are not carried, the sums of the factors, which groups are not."""

    def __init__(
        self, shop: Workshop, graph: Graph, to_carry: Sequence[Group], others: Sequence[Group]
    ) -> None:
        units = [unit_of(node, shop.parameters, ()) for node in graph.nodes]
        self.graph = graph
        self.groups = len(to_carry)
        self.layout = Layout(tuple(units), shop.parameters, 3 + self.groups)
        sums = {
            0: dict.fromkeys(range(3, 3 + self.groups), 1),
            1: dict.fromkeys(self.layout.all_parameters(), 1),
            2: dict.fromkeys(self.layout.all_factors(), 1),
        }
        self.problem = LexicographicMinimum(self.layout.size, sums, shop.allowance)
        for group in others:
            for each in group.multipliers:
                row = self.layout.difference(group.edge, each)
                if each.is_equality:
                    self.problem.exactly_zero(row)
                else:
                    self.problem.at_least_zero(row)
        for at, group in enumerate(to_carry):
            self._carry(group, 3 + self.groups - 1 - at)

    def _carry(self, group: Group, missed: int) -> None:
        """f(sink) - f(source) >= 1 - missed, with missed either 0 or 1."""
        self.problem.at_least_zero({missed: -1}, 1)
        for each in group.multipliers:
            row = self.layout.difference(group.edge, each)
            if each.is_equality:
                self.problem.exactly_zero(row)
            else:
                row[missed] = each.constant
                self.problem.at_least_zero(row, -each.constant)

    def members(self, *, integral: bool) -> list[Member] | None:
        """What the units do, unless nothing at all is carried."""
        solution = self.problem.solution(integral=integral)
        missed = [solution[3 + at] for at in range(self.groups)]
        if self.groups == 0 or all(missed):
            return None
        return self.layout.members(solution)


def _carried(
    shop: Workshop, graph: Graph, to_carry: Sequence[Group], others: Sequence[Group]
) -> Functions | None:
    if not to_carry:
        return None
    problem = _Problem(shop, graph, to_carry, others)
    members = problem.members(integral=False)
    if members is None:
        return None
    if shop.options.treat_coalescing:
        problem, members = _without_coalescing(problem, members)
    if not problem.problem.is_integral:
        members = problem.members(integral=True)
        assert members is not None, "an integer solution carries as much as a rational one"
    return {
        node.number: unit.combination(node.number, member, node.dimensions)
        for node, unit, member in zip(graph.nodes, problem.layout.units, members, strict=True)
    }


def _without_coalescing(problem: _Problem, members: list[Member]) -> tuple[_Problem, list[Member]]:
    """Force factors to zero that fold a loop into another one, while something is carried."""
    while True:
        folded = _folded(problem.graph, members)
        if folded is None:
            return problem, members
        unit, function = folded
        negative = problem.layout.negative(unit, function)
        before = problem.problem
        problem.problem = before.copy()
        try:
            problem.problem.exactly_zero({negative: 1})
            problem.problem.exactly_zero({negative + 1: 1})
            found = problem.members(integral=False)
        except NoSolution:
            found = None
        if found is None:
            problem.problem = before
            return problem, members
        members = found


def _folded(graph: Graph, members: Sequence[Member]) -> tuple[int, int] | None:
    for unit, (node, member) in enumerate(zip(graph.nodes, members, strict=True)):
        function = coalesced(member.factors, node.sizes)
        if function is not None:
            return unit, function
    return None


def _unscaled(functions: Functions) -> Functions:
    """The functions divided by what divides all their factors (§7.1)."""
    common = 0
    for each in functions.values():
        common = gcd(common, *each.parameters, *each.variables)
    if common <= 1:
        return functions
    return {
        number: Affine(
            each.constant // common,
            tuple(value // common for value in each.parameters),
            tuple(value // common for value in each.variables),
        )
        for number, each in functions.items()
    }
