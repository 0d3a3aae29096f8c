"""The schedule of isl for the same constraints and options."""

from __future__ import annotations

from dataclasses import asdict

import islpy as isl

from loopwright import ScheduleConstraints, SchedulerOptions
from loopwright.basics.spans import whole_file
from loopwright.isl_engine import isl_schedule

MOST_OPERATIONS = 500_000_000


def scheduled_by_isl(asked: ScheduleConstraints, options: SchedulerOptions) -> isl.Schedule:
    """What isl makes of it; an ``InputError`` where it has no schedule."""
    constraints = (
        isl.ScheduleConstraints.on_domain(asked.domain)
        .set_context(asked.context)
        .set_validity(asked.validity)
        .set_proximity(asked.proximity)
        .set_coincidence(asked.coincidence)
        .set_conditional_validity(asked.condition, asked.conditional_validity)
    )
    place = whole_file("constraints")
    return isl_schedule(constraints, asdict(options), MOST_OPERATIONS, place)
