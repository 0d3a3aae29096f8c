"""A schedule with the decisions that led to it."""

from __future__ import annotations

from dataclasses import field

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scheduling_trace import Trace
from loopwright.polyhedra.schedule_trees import block_text


@record(eq=False)
class Schedule:
    """An order of instances as an isl schedule tree, and why it is that order."""

    tree: isl.Schedule
    trace: Trace = field(default_factory=Trace)

    def __str__(self) -> str:
        """The tree in block style."""
        return block_text(self.tree)
