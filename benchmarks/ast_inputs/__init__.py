"""Schedules for AST generation: kernels and transformed kernels, the paper's examples, shapes."""

from __future__ import annotations

from benchmarks.ast_inputs.kernels import kernel_inputs
from benchmarks.ast_inputs.papers import paper_inputs
from benchmarks.ast_inputs.records import AstInput
from benchmarks.ast_inputs.shapes import SHAPES

__all__ = ["AstInput", "all_inputs"]


def all_inputs() -> list[AstInput]:
    """All inputs; their names are different."""
    inputs = [*kernel_inputs(), *paper_inputs(), *SHAPES]
    assert len({each.name for each in inputs}) == len(inputs)
    return inputs
