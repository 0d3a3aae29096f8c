"""Small programs whose schedules are known from the paper or can be told by reading them."""

from __future__ import annotations

from pathlib import Path

from loopwright import SchedulerOptions, read_c
from loopwright.report.schedule_tree import outline_lines
from loopwright.report.schedules import Rescheduled, Wanted, rescheduled

from .programs import kernel

TRMM = kernel(
    """for (int i = 0; i < m; i++)
for (int j = 0; j < n; j++) {
for (int k = i + 1; k < m; k++)
B[i][j] += A[k][i] * B[k][j];
B[i][j] = alpha * B[i][j]; }""",
    "int m, int n, double alpha, double A[m][m], double B[m][n]",
)
"""Listing 20 of the paper: S0 on line 7, S1 on line 8."""

SMOOTH = kernel(
    """for (int t = 0; t < steps; t++) {
for (int i = 1; i < n - 1; i++)
B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3;
for (int i = 1; i < n - 1; i++)
A[i] = B[i]; }""",
    "int steps, int n, double A[n], double B[n]",
)
"""A stencil: S0 on line 6, S1 on line 8."""

ROWS = kernel(
    """for (int i = 0; i < n; i++) {
norm = 0;
for (int j = 0; j < n; j++)
norm += A[i][j] * A[i][j];
length[i] = norm; }""",
    "int n, double A[n][n], double length[n]",
    before="double norm;",
)
"""Each row needs a variable for itself: S0 on line 5, S1 on line 7, S2 on line 8."""

CHAIN = kernel(
    """for (int i = 0; i < n; i++) {
B[i] = A[i] + 1;
B[i] = B[i] * 2;
B[i] = B[i] - 3; }"""
)
"""Each statement hands its value to the next: S0, S1 and S2 on lines 5 to 7."""

LINKED = kernel(
    """for (int i = 1; i < n; i++) {
B[i] = B[i - 1] + 1;
B[i] = B[i] * 2; }"""
)
"""A chain that needs the one before it: S0 and S1 on lines 5 and 6."""

CHAIN_AND_MORE = kernel(
    """for (int i = 0; i < n; i++) {
B[i] = A[i] + 1;
B[i] = B[i] * 2; }
for (int i = 0; i < n; i++)
C[i] = B[i];""",
    "int n, double A[n], double B[n], double C[n]",
)
"""A chain on lines 5 and 6, and what can be fused with it, on line 8."""

ROTATED = kernel(
    """for (int i = 1; i < n; i++)
for (int j = 0; j < n; j++)
A[i][j] = A[i - 1][j];
for (int i = 0; i < n; i++)
B[i] = 0;""",
    "int n, double A[n][n], double B[n]",
)
"""Two statements, on lines 6 and 8, that have nothing to do with each other."""


TWO_LOOPS = kernel(
    """for (int i = 0; i < n; i++)
B[i] = A[i];
for (int i = 1; i < n; i++)
C[i] = B[i - 1];""",
    "int n, double A[n], double B[n], double C[n]",
)
"""Two loops that can be one, with a shift: S0 on line 5, S1 on line 7."""


MIRROR = kernel(
    """for (int i = 1; i < n; i++)
for (int j = 0; j < n; j++)
A[i][j] = A[i - 1][n - 1 - j];""",
    "int n, double A[n][n]",
)
"""A row is the mirror image of the one before: no loop over j goes forward for all pairs."""


def scheduled(program: str | Path, *, explain: bool = True, **options: object) -> Rescheduled:
    """The only region of a program with its new schedule."""
    (scop,) = read_c(program)
    wanted = Wanted(SchedulerOptions(**options))  # pyright: ignore[reportArgumentType]
    return rescheduled(scop, wanted, explain=explain)


def tree_text(region: Rescheduled) -> str:
    """The tree as the user sees it."""
    return "\n".join(outline_lines(region.outline, region.scop))
