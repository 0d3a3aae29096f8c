"""The new schedules of all regions of a file in the form that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import assert_never

from loopwright.model.scheduling_trace import KeptOriginal
from loopwright.model.scop import Scop
from loopwright.polyhedra.schedule_trees import block_text
from loopwright.report.explanations import Source
from loopwright.report.schedule_documents import schedules_document
from loopwright.report.schedule_explanations import schedule_explanation
from loopwright.report.schedule_trace import trace_lines
from loopwright.report.schedule_tree import outline_lines
from loopwright.report.schedules import Rescheduled, Wanted, reporting, rescheduled


class ScheduleForm(Enum):
    """For whom the schedule is."""

    TREE = "tree"
    TRACE = "trace"
    JSON = "json"
    YAML = "yaml"


def schedules_text(scops: Sequence[Scop], form: ScheduleForm, wanted: Wanted) -> str:
    """The new schedules of some regions.

    >>> from loopwright import read_c
    >>> program = '''void f(int n, double A[n][n]) {
    ... #pragma scop
    ...   for (int i = 1; i < n; i++)
    ...     for (int j = 0; j < n; j++)
    ...       A[i][j] = A[i - 1][j];
    ... #pragma endscop
    ... }'''
    >>> print(schedules_text(read_c(program), ScheduleForm.TREE, Wanted()), end="")
    f  (input.c, lines 3-5)
    <BLANKLINE>
      tilable
        parallel for j
        for i
          S0[i, j]  line 5: A[i][j] = A[i - 1][j]
    """
    explain = form in (ScheduleForm.TRACE, ScheduleForm.JSON)
    regions = [rescheduled(each, wanted, explain=explain) for each in scops]
    with reporting(scops[0], wanted):
        return _rendered(regions, form)


def schedule_explanation_text(
    scops: Sequence[Scop], line: int, source: Source, wanted: Wanted
) -> str:
    """What became of a line of the source."""
    near = [each for each in scops if each.span.line <= line <= each.span.end_line]
    regions = [rescheduled(each, wanted, explain=True) for each in near or scops]
    with reporting(scops[0], wanted):
        return schedule_explanation(regions, line, source) + "\n"


def _rendered(regions: Sequence[Rescheduled], form: ScheduleForm) -> str:
    match form:
        case ScheduleForm.TREE:
            return "\n\n".join("\n".join(_page(each)) for each in regions) + "\n"
        case ScheduleForm.TRACE:
            return "\n\n\n".join("\n".join(_traced_page(each)) for each in regions) + "\n"
        case ScheduleForm.JSON:
            return schedules_document(regions)
        case ScheduleForm.YAML:
            return "---\n".join(_yaml(each) for each in regions)
        case _:
            assert_never(form)


def _title(region: Rescheduled) -> str:
    scop = region.scop
    return f"{scop.function}  ({scop.span.file}, lines {scop.span.line}-{scop.span.end_line})"


def _page(region: Rescheduled) -> list[str]:
    lines = [_title(region), ""]
    if any(isinstance(each, KeptOriginal) for each in region.schedule.trace.events):
        lines += ["  No other order was found; this is the order of the program.", ""]
    return lines + outline_lines(region.outline, region.scop, 2)


def _traced_page(region: Rescheduled) -> list[str]:
    lines = [_title(region), "", "  schedule", *outline_lines(region.outline, region.scop, 4)]
    decisions = trace_lines(region.schedule.trace, region.reasons, 4)
    return [*lines, "", "  decisions", *decisions]


def _yaml(region: Rescheduled) -> str:
    """The tree as ``loopwright scan`` reads it, under its title."""
    return f"# {_title(region)}\n{block_text(region.schedule.tree)}"
