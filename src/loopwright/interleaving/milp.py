"""Integer programs: is there a solution?  Exact, with HiGHS where that takes too long.

What HiGHS answers is a guess in floating point.  A solution of its counts once it meets each
constraint in integers; that there is none counts only if the exact method says so, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from importlib.util import find_spec

from loopwright.basics.records import record
from loopwright.polyhedra.lexmin import (
    Allowance,
    LexicographicMinimum,
    NoSolution,
)

LARGE = 150
"""With so many unknowns, HiGHS is asked first."""


@record
class Linear:
    """The terms and the constant are zero or more together, or exactly zero."""

    terms: Mapping[int, int]
    constant: int = 0
    is_equality: bool = False

    def holds(self, values: Sequence[int]) -> bool:
        """Does it hold for these values of the unknowns?"""
        value = self.constant + sum(
            factor * values[unknown] for unknown, factor in self.terms.items()
        )
        return value == 0 if self.is_equality else value >= 0


class Solver(Enum):
    """Who looks for a solution."""

    EXACT = "exact"
    HIGHS = "highs"


def solution_of(
    constraints: Sequence[Linear],
    lower: Sequence[int],
    upper: Sequence[int],
    allowance: Allowance | None = None,
    solver: Solver | None = None,
) -> list[int] | None:
    """Integers within their bounds that meet the constraints, or nothing if there are none.

    Without a ``solver`` it is HiGHS for large programs if it is installed, and then the exact one.
    :class:`~loopwright.polyhedra.lexmin.OutOfTime` if that cannot be found out in time.
    """
    if solver is None:
        solver = Solver.HIGHS if len(lower) >= LARGE and _has_highs() else Solver.EXACT
    if solver is Solver.HIGHS:
        seconds = None if allowance is None else allowance.left
        found = _guess(constraints, lower, upper, seconds)
        if found is not None and _is_solution(found, constraints, lower, upper):
            return found
    return _exact(constraints, lower, upper, allowance)


def _is_solution(
    values: Sequence[int],
    constraints: Sequence[Linear],
    lower: Sequence[int],
    upper: Sequence[int],
) -> bool:
    bounds = zip(lower, values, upper, strict=True)
    return all(low <= value <= high for low, value, high in bounds) and all(
        each.holds(values) for each in constraints
    )


def _exact(
    constraints: Sequence[Linear],
    lower: Sequence[int],
    upper: Sequence[int],
    allowance: Allowance | None,
) -> list[int] | None:
    """The least solution; unknowns begin at their lower bounds."""
    problem = LexicographicMinimum(len(lower), None, allowance)
    try:
        for each in constraints:
            moved = sum(factor * lower[unknown] for unknown, factor in each.terms.items())
            ask = problem.exactly_zero if each.is_equality else problem.at_least_zero
            ask(each.terms, each.constant + moved)
        for unknown, (low, high) in enumerate(zip(lower, upper, strict=True)):
            problem.at_least_zero({unknown: -1}, high - low)
        values = problem.solution()
    except NoSolution:
        return None
    return [value + low for value, low in zip(values, lower, strict=True)]


# --- HiGHS ----------------------------------------------------------------------------------------


def _has_highs() -> bool:
    return find_spec("highspy") is not None


def _guess(
    constraints: Sequence[Linear],
    lower: Sequence[int],
    upper: Sequence[int],
    seconds: float | None,
) -> list[int] | None:
    """What HiGHS takes for a solution, as integers, if it finds one in half of the time."""
    import highspy

    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    if seconds is not None:
        model.setOptionValue("time_limit", seconds / 2)
    for low, high in zip(lower, upper, strict=True):
        model.addVariable(lb=low, ub=high, type=highspy.HighsVarType.kInteger)
    for each in constraints:
        unknowns = [unknown for unknown, factor in each.terms.items() if factor]
        factors = [float(each.terms[unknown]) for unknown in unknowns]
        most = -each.constant if each.is_equality else highspy.kHighsInf
        model.addRow(float(-each.constant), float(most), len(unknowns), unknowns, factors)
    model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return [round(value) for value in model.getSolution().col_value]
