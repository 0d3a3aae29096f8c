"""The best solution that is not trivial, by a search through cases (PPCG §6.5.7)."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.polyhedra.lexmin import Coefficients, LexicographicMinimum, NoSolution

Region = Sequence[Coefficients]
"""Combinations of unknowns, of which one at least must not be zero."""

SIGNIFICANT = 2
"""So many first unknowns usually decide whether it is worth to look for a better solution."""


def best_solution(
    problem: LexicographicMinimum, regions: Sequence[Region], significant: int = SIGNIFICANT
) -> list[int] | None:
    """A solution that is trivial in no region, best in the first unknowns, which are significant.

    For the first region that is trivial, its combinations are made positive or negative one after
    the other, those before it being zero.  Once there is a solution, only those count whose first
    significant unknown that is not zero yet becomes zero.
    """
    search = _Search(regions, significant)
    search.look(problem)
    return search.best


class _Search:
    def __init__(self, regions: Sequence[Region], significant: int) -> None:
        self.regions = regions
        self.significant = significant
        self.best: list[int] | None = None
        self.zeros = 0
        """So many significant unknowns must be zero from now on."""

    @property
    def is_over(self) -> bool:
        return self.best is not None and not any(self.best[: self.significant])

    def look(self, problem: LexicographicMinimum) -> None:
        """Search below a choice; the problem is ours to constrain."""
        try:
            for unknown in range(self.zeros):
                problem.exactly_zero({unknown: 1})
            solution = problem.solution()
        except NoSolution:
            return
        region = next((each for each in self.regions if _is_trivial(each, solution)), None)
        if region is None:
            self.best = solution
            found = next((at for at in range(self.significant) if solution[at]), None)
            self.zeros = self.zeros if found is None else found + 1
            return
        for at, combination in enumerate(region):
            for sign in (1, -1):
                case = problem.copy()
                try:
                    for zero in region[:at]:
                        case.exactly_zero(zero)
                    case.at_least_zero(
                        {each: sign * value for each, value in combination.items()}, -1
                    )
                except NoSolution:
                    continue
                self.look(case)
                if self.is_over:
                    return


def _is_trivial(region: Region, solution: Sequence[int]) -> bool:
    return not any(
        sum(factor * solution[unknown] for unknown, factor in combination.items())
        for combination in region
    )
