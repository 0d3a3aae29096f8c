"""The dependences of all regions of a file in the form that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from enum import Enum
from typing import assert_never

from loopwright.dependence.limits import bounded, enough_operations
from loopwright.model.scop import Scop
from loopwright.report.documents import dependences_document
from loopwright.report.dot import dot_text
from loopwright.report.drawing import svg_text
from loopwright.report.explanations import Source, explanation
from loopwright.report.findings import Findings, findings
from loopwright.report.table import table
from loopwright.report.verdicts import Asked


class Form(Enum):
    """For whom the report is."""

    TABLE = "table"
    JSON = "json"
    DOT = "dot"
    SVG = "svg"


def dependences_text(scops: Sequence[Scop], form: Form, asked: Asked) -> str:
    r"""The report on some regions.

    >>> from loopwright import read_c
    >>> program = "void f(double A[9]) {\n#pragma scop\nA[0] = A[1];\n#pragma endscop\n}"
    >>> print(dependences_text(read_c(program), Form.DOT, Asked()), end="")
    digraph dependences {
      node [shape=box, fontname="monospace", fontsize=11];
      edge [fontname="sans-serif", fontsize=9];
      subgraph cluster_0 {
        label="f, lines 3-3";
        "0.S0" [label="S0, line 3\lA[0] = A[1]\l", group=0];
      }
    }
    """
    regions = [_found(each, asked) for each in scops]
    with _bounded(scops[0], asked):
        return _rendered(regions, form)


def explanation_text(scops: Sequence[Scop], line: int, source: Source, asked: Asked) -> str:
    """What there is to say about a line of the source."""
    regions = [_found(each, asked) for each in scops]
    with _bounded(scops[0], asked):
        return explanation(regions, line, source) + "\n"


def _found(scop: Scop, asked: Asked) -> Findings:
    with _bounded(scop, asked):
        return findings(scop, asked)


def _bounded(scop: Scop, asked: Asked) -> AbstractContextManager[None]:
    """A report asks isl many questions, too; it has an allowance of its own."""
    operations = asked.max_operations or 4 * enough_operations(scop)
    return bounded(scop, operations, "the dependences of this region are")


def _rendered(regions: Sequence[Findings], form: Form) -> str:
    match form:
        case Form.TABLE:
            return "\n\n\n".join(map(table, regions)) + "\n"
        case Form.JSON:
            return dependences_document(regions)
        case Form.DOT:
            return dot_text(regions)
        case Form.SVG:
            return svg_text(regions)
        case _:
            assert_never(form)
