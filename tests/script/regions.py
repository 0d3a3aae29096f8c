"""Regions with tags, and what a script makes of them."""

from __future__ import annotations

from loopwright import generate, read_c
from loopwright.model.scop import Scop
from loopwright.script.interpreter import Run
from loopwright.script.timetable import timetable_of, tree_of
from loopwright.scripting import Script


def region(body: str, parameters: str = "int N, double A[N][N], double B[N][N]") -> Scop:
    """The model of a region with this text."""
    (scop,) = read_c(f"void f({parameters})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n")
    return scop


def run_on(scop: Scop, text: str) -> Run:
    """What a script makes of it, correct or not."""
    return Script("s.loopy", text).run(scop, timetable_of(scop))


def positions_after(scop: Scop, text: str = "") -> dict[str, list[tuple[int, ...]]]:
    """The position vectors of each statement."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for piece in run_on(scop, text).table.pieces:
        found.setdefault(piece.statement, []).append(piece.positions)
    return found


def code_after(scop: Scop, text: str = "") -> str:
    """The loops after a script."""
    tree = tree_of(run_on(scop, text).table)
    return generate(tree, context=scop.context).to_c()
