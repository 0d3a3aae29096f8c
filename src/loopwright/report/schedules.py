"""The new schedule of a region, by our scheduler or by isl's, as reports look at it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, field, replace
from typing import Literal

import islpy as isl

from loopwright.basics.records import record
from loopwright.dependence.analysis import dependences
from loopwright.dependence.limits import bounded, enough_operations
from loopwright.dependence.loops import carried_by
from loopwright.isl_engine import isl_schedule
from loopwright.model.dependences import Dependences
from loopwright.model.schedules import Schedule
from loopwright.model.scop import Scop
from loopwright.report.references import array_text
from loopwright.report.schedule_reasons import Reasons
from loopwright.report.schedule_tree import BandOutline, Member, Outline, Parts, outline_of
from loopwright.scheduling.api import schedule
from loopwright.scheduling.constraints import ScheduleConstraints, constraints_of
from loopwright.scheduling.grouping import grouped
from loopwright.scheduling.options import PPCG, SchedulerOptions

Engine = Literal["loopwright", "isl"]

MOST_OPERATIONS = 50_000_000
"""What isl may spend on a schedule of its own."""


@record
class Wanted:
    """How a user wants a region to be scheduled."""

    options: SchedulerOptions = field(default_factory=lambda: PPCG)
    engine: Engine = "loopwright"
    live_range_reordering: bool = True
    max_operations: int | None = None


@record(eq=False)
class Rescheduled:
    """A region with its new schedule.  Only ours tells its decisions."""

    dependences: Dependences
    schedule: Schedule
    outline: Outline
    reasons: Reasons
    wanted: Wanted

    @property
    def scop(self) -> Scop:
        """The region."""
        return self.dependences.scop


def rescheduled(scop: Scop, wanted: Wanted, *, explain: bool = False) -> Rescheduled:
    """Schedule a region; with ``explain`` the trace has the reasons of its decisions.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double A[n][n]) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++)
    ...     for (int j = 0; j < n; j++)
    ...       A[i][j] = A[i - 1][j];
    ... #pragma endscop
    ... }'''
    >>> found = rescheduled(read_c(program)[0], Wanted())
    >>> [dict(member.times) for member in found.outline.members]
    [{'S0': 'j'}, {'S0': 'i'}]
    """
    found = dependences(
        scop,
        live_range_reordering=wanted.live_range_reordering,
        max_operations=wanted.max_operations,
    )
    if wanted.engine == "isl":
        result = Schedule(_by_isl(found, wanted.options))
    else:
        result = schedule(found, wanted.options, explain=explain)
    with reporting(scop, wanted):
        reasons = Reasons(found, result.trace)
        outline = _with_own_variables(outline_of(result.tree, scop), reasons)
    return Rescheduled(found, result, outline, reasons, wanted)


def reporting(scop: Scop, wanted: Wanted) -> AbstractContextManager[None]:
    """A report asks isl many questions, too; it has an allowance of its own."""
    operations = wanted.max_operations or 4 * enough_operations(scop)
    return bounded(scop, operations, "the schedule of this region is")


def _by_isl(found: Dependences, options: SchedulerOptions) -> isl.Schedule:
    """What isl makes of the same constraints, on the same groups of statements."""
    constraints = constraints_of(found)
    tree = found.scop.schedule.intersect_domain(constraints.domain)
    groups = grouped(constraints, tree) if options.group_chains else None
    asked = _for_isl(constraints if groups is None else groups.constraints)
    result = isl_schedule(asked, asdict(options), MOST_OPERATIONS, found.scop.span)
    return result if groups is None else groups.expanded(result)


def _for_isl(asked: ScheduleConstraints) -> isl.ScheduleConstraints:
    return (
        isl.ScheduleConstraints.on_domain(asked.domain)
        .set_validity(asked.validity)
        .set_coincidence(asked.coincidence)
        .set_proximity(asked.proximity)
        .set_conditional_validity(asked.condition, asked.conditional_validity)
        .set_context(asked.context)
    )


# --- variables of each iteration ------------------------------------------------------------------


def _with_own_variables(outline: Outline, reasons: Reasons) -> Outline:
    """The parallel loops with the variables of which each iteration needs its own.

    The order of live ranges in scalars does not keep a loop from being coincident (PPCG §4.3).
    """
    return _told(outline, reasons) if any(map(reasons.is_scalar, reasons.order)) else outline


def _told(outline: Outline, reasons: Reasons) -> Outline:
    if isinstance(outline, BandOutline):
        members = tuple(
            _member(outline, at, each, reasons) for at, each in enumerate(outline.members)
        )
        return replace(outline, members=members, body=_told(outline.body, reasons))
    if isinstance(outline, Parts):
        return replace(outline, parts=tuple(_told(each, reasons) for each in outline.parts))
    return outline


def _member(band: BandOutline, at: int, member: Member, reasons: Reasons) -> Member:
    if not member.is_parallel:
        return member
    shared = carried_by(band.node, reasons.of_scalars, at)
    return replace(member, own=_names((each.array for each in shared), reasons.found.scop))


def _names(arrays: Iterable[str], scop: Scop) -> tuple[str, ...]:
    return tuple(dict.fromkeys(array_text(scop.array(each)) for each in arrays))
