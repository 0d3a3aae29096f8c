"""One dimension of a schedule that fuses statements under a common loop (§4.1, §4.2).

Definition 7 asks that the first iterations of fused statements are at most a constant apart,
whatever the parameters are.  So the factors of the parameters are the same in all of them, and as
only differences count, they are left out.  The constants are between zero and the largest shift.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from loopwright.interleaving.programs import Function, Program, Relation, Row
from loopwright.polyhedra.farkas import Multiplier
from loopwright.polyhedra.integer_matrices import Vector, independent_directions
from loopwright.polyhedra.lexmin import LexicographicMinimum, NoSolution
from loopwright.polyhedra.nontrivial import best_solution

BOUNDS = 2
"""So many bounds on distances there are, each more important than the next one."""

Previous = Mapping[int, Sequence[Vector]]
"""The factors of the loops in the rows that statements have already."""


class RowProblem:
    """The functions that fuse statements and keep the order of all pairs that are asked for.

    Unknowns, in this order: how many of the ``satisfied`` parts of relations stay unsatisfied, if
    that is asked for; for each of the bounds on distances the sum of its factors of the parameters,
    and its constant; the sum of the loops' factors; the factors of the bounds; and for each
    statement the factors of its loops, inner ones first, and its constant.  So the least solution
    satisfies most (9), prefers short distances (11), and then the loops of the source.
    """

    def __init__(
        self,
        program: Program,
        numbers: Sequence[int],
        shift: int,
        *,
        previous: Previous | None = None,
        satisfied: Sequence[Relation] = (),
    ) -> None:
        self.program = program
        self.numbers = tuple(numbers)
        self.previous: Previous = previous or {}
        parts = [(each, part) for each in satisfied for part in each.parts]
        self.first_sum = 1 if parts else 0
        self.significant = self.first_sum + 2 * BOUNDS
        self.first_bound = self.significant + 1
        self.start: dict[int, int] = {}
        at = self.first_bound + BOUNDS * len(program.parameters)
        for each in self.numbers:
            self.start[each] = at
            at += self._depth(each) + 1
        sums = {
            self.first_sum + 2 * bound: dict.fromkeys(self._bound(bound), 1)
            for bound in range(BOUNDS)
        }
        sums[self.significant] = dict.fromkeys(self._factors(), 1)
        if parts:
            sums[0] = dict.fromkeys(range(at, at + len(parts)), 1)
        self.problem = LexicographicMinimum(at + len(parts), sums, program.allowance)
        for each in self.numbers:
            self.problem.at_least_zero({self.constant(each): -1}, shift)
        for unknown, (relation, part) in enumerate(parts, at):
            self._satisfy(relation, part, unknown)

    def _depth(self, number: int) -> int:
        return self.program.statements[number].depth

    def _bound(self, bound: int) -> range:
        """The factors of the parameters in a bound."""
        count = len(self.program.parameters)
        first = self.first_bound + bound * count
        return range(first, first + count)

    def _factors(self) -> list[int]:
        return [factor for each in self.numbers for factor in self._factors_of(each)]

    def _factors_of(self, number: int) -> list[int]:
        return [self.factor(number, loop) for loop in range(self._depth(number))]

    def factor(self, number: int, loop: int) -> int:
        """The unknown that is the factor of a loop."""
        return self.start[number] + self._depth(number) - 1 - loop

    def constant(self, number: int) -> int:
        """The unknown that is the constant of a statement."""
        return self.start[number] + self._depth(number)

    # --- what is asked for -----------------------------------------------------------------------

    def use(self, number: int, loop: int) -> None:
        """Ask for a loop to count in a statement's function."""
        self.problem.at_least_zero({self.factor(number, loop): 1}, -1)

    def use_some(self) -> None:
        """Ask for functions that are no constants."""
        for number in self.numbers:
            self.problem.at_least_zero(dict.fromkeys(self._factors_of(number), 1), -1)

    def use_one(self) -> None:
        """Ask for functions of one loop at most, each step of which is one."""
        for number in self.numbers:
            self.problem.at_least_zero(dict.fromkeys(self._factors_of(number), -1), 1)

    def keep(self, relations: Iterable[Relation]) -> None:
        """Ask that no pair runs backwards."""
        for relation in relations:
            for condition in relation.conditions:
                self._ask(self._distance(relation, condition), condition)

    def bound(self, relations: Iterable[Relation], *, is_ordered: bool, bound: int = 0) -> None:
        """Bound the distances of pairs by a function of the parameters (10).

        Pairs that are not ordered have distances in both directions.  The second bound counts only
        where the first ones are equal.
        """
        for relation in relations:
            for sign in (1,) if is_ordered else (1, -1):
                for condition in relation.conditions:
                    distance = self._distance(relation, condition)
                    terms = {unknown: -sign * factor for unknown, factor in distance.items()}
                    terms[self.first_sum + 2 * bound + 1] = condition.constant
                    terms |= dict(zip(self._bound(bound), condition.parameters, strict=True))
                    self._ask(terms, condition)

    def _satisfy(self, relation: Relation, part: Sequence[Multiplier], unknown: int) -> None:
        """The unknown is one, or else no pair of a part runs at the same time."""
        self.problem.at_least_zero({unknown: -1}, 1)
        for condition in part:
            terms = self._distance(relation, condition)
            terms[unknown] = condition.constant
            self._ask(terms, condition, -condition.constant)

    def _ask(self, terms: dict[int, int], condition: Multiplier, constant: int = 0) -> None:
        if condition.is_equality:
            self.problem.exactly_zero(terms, constant)
        else:
            self.problem.at_least_zero(terms, constant)

    def _distance(self, relation: Relation, condition: Multiplier) -> dict[int, int]:
        """What a condition says about f(sink) - f(source), in the unknowns."""
        terms: dict[int, int] = {}
        for loop, factor in enumerate(condition.sink):
            terms[self.factor(relation.sink, loop)] = factor
        if relation.source != relation.sink:
            for loop, factor in enumerate(condition.source):
                terms[self.factor(relation.source, loop)] = -factor
            terms[self.constant(relation.sink)] = condition.constant
            terms[self.constant(relation.source)] = -condition.constant
        return terms

    # --- solutions -------------------------------------------------------------------------------

    def is_feasible(self) -> bool:
        """Are there such functions?"""
        try:
            self.problem.solution()
        except NoSolution:
            return False
        return True

    def best(self) -> Row | None:
        """The least functions, none of which depends on the previous ones of its statement."""
        regions = [
            [
                {self.factor(number, loop): factor for loop, factor in enumerate(direction)}
                for direction in independent_directions(
                    [*self.program.statements[number].fixed, *self.previous.get(number, ())],
                    self._depth(number),
                )
            ]
            for number in self.numbers
        ]
        solution = best_solution(self.problem, regions, self.significant)
        if solution is None:
            return None
        none = (0,) * len(self.program.parameters)
        return {
            number: Function(
                tuple(solution[self.factor(number, each)] for each in range(self._depth(number))),
                none,
                solution[self.constant(number)],
            )
            for number in self.numbers
        }
