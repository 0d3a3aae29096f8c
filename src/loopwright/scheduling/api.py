"""The scheduler as a function."""

from __future__ import annotations

from loopwright.dependence.analysis import dependences
from loopwright.model.dependences import Dependences
from loopwright.model.schedules import Schedule
from loopwright.model.scop import Scop
from loopwright.scheduling.constraints import ScheduleConstraints, constraints_of
from loopwright.scheduling.grouping import grouped
from loopwright.scheduling.options import PPCG, SchedulerOptions
from loopwright.scheduling.scheduler import scheduled


def schedule(
    program: Scop | Dependences | ScheduleConstraints, options: SchedulerOptions = PPCG
) -> Schedule:
    r"""An order of instances that is valid, with bands that are tilable and parallel if possible.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double A[n][n]) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++)
    ...     for (int j = 0; j < n; j++)
    ...       A[i][j] = A[i - 1][j];
    ... #pragma endscop
    ... }'''
    >>> band = schedule(read_c(program)[0]).tree.get_root().child(0)
    >>> print(band.band_get_partial_schedule())
    [n] -> [{ S0[i, j] -> [(j)] }, { S0[i, j] -> [(i)] }]
    >>> [bool(band.band_member_get_coincident(at)) for at in (0, 1)]
    [True, False]
    """
    if isinstance(program, Scop):
        program = dependences(program)
    if isinstance(program, ScheduleConstraints):
        return Schedule(scheduled(program, options))
    constraints = constraints_of(program)
    groups = grouped(constraints, program.scop.schedule) if options.group_chains else None
    if groups is None:
        return Schedule(scheduled(constraints, options))
    return Schedule(groups.expanded(scheduled(groups.constraints, options)))
