"""Which statements can share a loop, and which loops of theirs it can be (§4.2, §4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from loopwright.interleaving.programs import Program
from loopwright.interleaving.rows import Previous, RowProblem
from loopwright.polyhedra.integer_matrices import independent_directions

Permutations = frozenset[tuple[int, int]]
"""The set M of two statements: loops, one of each, that can be the common one."""

DEFAULT_SHIFT = 4
"""So far apart may the first iterations of fused statements be."""


class Fusibility:
    """Answers about one level of a program, each computed once.

    A set of statements is fusable if there is a row as of Definition 7 that keeps all pairs of
    dependent instances in order.  No more is needed: whatever such a row leaves open, the order of
    the source can decide, as it does not contradict any dependence.  With ``previous`` rows, it has
    to be independent of these; unless it ``skews``, it is made of one loop of each statement.
    """

    def __init__(
        self,
        program: Program,
        shift: int = DEFAULT_SHIFT,
        previous: Previous | None = None,
        *,
        skews: bool = True,
    ) -> None:
        self.program = program
        self.shift = shift
        self.previous = previous
        self.skews = skews
        self.questions = 0
        """How many integer programs it took."""
        self._fusable: set[frozenset[int]] = set()
        self._unfusable: set[frozenset[int]] = set()
        self._permutations: dict[tuple[int, int], Permutations] = {}
        self._linked = {frozenset(edge) for edge in program.edges}

    def problem(self, numbers: Sequence[int]) -> RowProblem:
        """The rows that fuse the statements."""
        found = RowProblem(self.program, numbers, self.shift, previous=self.previous)
        if self.previous is None:
            found.use_some()
        if not self.skews:
            found.use_one()
        found.keep(self.program.between(numbers))
        return found

    def _is_feasible(self, problem: RowProblem) -> bool:
        """Is there a row?  One that uses nothing but loops with a single iteration is none."""
        self.questions += 1
        fixed = any(self.program.statements[each].fixed for each in problem.numbers)
        if self.previous is None and not fixed:
            return problem.is_feasible()
        return problem.best() is not None

    def has_loops_left(self, number: int) -> bool:
        """Has a statement a loop that it could share?"""
        statement = self.program.statements[number]
        rows = self.previous.get(number, ()) if self.previous is not None else ()
        return bool(independent_directions([*statement.fixed, *rows], statement.depth))

    def are_dependent(self, first: int, second: int) -> bool:
        """Does one of them depend on the other?"""
        return frozenset((first, second)) in self._linked

    def is_fusable(self, numbers: Iterable[int]) -> bool:
        """Can the statements share a loop?  What is true of a set is true of its subsets."""
        asked = frozenset(numbers)
        if len(asked) < 2 or any(asked <= each for each in self._fusable):
            return True
        if any(each <= asked for each in self._unfusable):
            return False
        statements = sorted(asked)
        has_loops = all(map(self.has_loops_left, statements))
        if has_loops and self._is_feasible(self.problem(statements)):
            self._fusable.add(asked)
            return True
        self._unfusable.add(asked)
        return False

    # --- as in the paper, which does not ask about larger sets -----------------------------------

    def permutations(self, first: int, second: int) -> Permutations:
        """The set M: the pairs of loops that a row can use to fuse two statements.

        It takes a question for each, where one about a set of statements decides it as a whole; so
        the search for interleavings does without.
        """
        if first > second:
            return frozenset((b, a) for a, b in self.permutations(second, first))
        found = self._permutations.get((first, second))
        if found is None:
            depths = (self.program.statements[each].depth for each in (first, second))
            pairs = product(range(next(depths)), range(next(depths)))
            found = frozenset(pair for pair in pairs if self._uses((first, second), pair))
            self._permutations[first, second] = found
        return found

    def _uses(self, numbers: Sequence[int], loops: Sequence[int]) -> bool:
        problem = self.problem(numbers)
        for number, loop in zip(numbers, loops, strict=True):
            problem.use(number, loop)
        return self._is_feasible(problem)

    def has_compatible_permutation(self, numbers: Sequence[int]) -> bool:
        """Is there a loop for each statement so that all pairs are in their sets M (Lemma 6)?

        If not, they are not fusable.  If there is, they need not be: shifts that are small for two
        statements may add up for three, and two skewed loops need not agree with the same third.
        """
        return self._can_extend(tuple(numbers), {})

    def _can_extend(self, numbers: Sequence[int], chosen: dict[int, int]) -> bool:
        if not numbers:
            return True
        number, rest = numbers[0], numbers[1:]
        related = [each for each in chosen if self.are_dependent(each, number)]
        return any(
            all((chosen[each], loop) in self.permutations(each, number) for each in related)
            and self._can_extend(rest, {**chosen, number: loop})
            for loop in range(self.program.statements[number].depth)
        )
