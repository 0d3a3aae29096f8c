"""Small regions, and the nests that they lead to."""

from __future__ import annotations

import islpy as isl

from loopwright import dependences, read_c, schedule
from loopwright.model.dependences import Dependences
from loopwright.polyhedra.schedule_trees import bands_of
from loopwright.scheduling.options import SchedulerOptions
from loopwright.targets.nests import Nest, nest_at

TILABLE = SchedulerOptions(outer_coincidence=False, group_chains=False)
"""Bands that can be tiled come before parallel loops."""

PRODUCT = """
for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      C[i][j] += A[i][k] * B[k][j];
"""
CLEARED_PRODUCT = """
for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++) {
    C[i][j] = 0;
    for (int k = 0; k < n; k++)
      C[i][j] += A[i][k] * B[k][j];
  }
"""
JACOBI = """
for (int t = 0; t < m; t++) {
  for (int i = 1; i < n - 1; i++)
    x[i] = y[i - 1] + y[i + 1];
  for (int i = 1; i < n - 1; i++)
    y[i] = x[i - 1] + x[i + 1];
}
"""
SEIDEL = """
for (int t = 0; t < m; t++)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      A[i][j] = A[i - 1][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j];
"""
TRIANGLE = """
for (int i = 0; i < n; i++)
  for (int j = 0; j <= i; j++)
    A[i][j] = 2 * A[i][j];
"""
SUMS_OF_ROWS = """
for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++)
    x[i] += A[i][j];
"""


def found_in(region: str) -> Dependences:
    """The dependences of a region over matrices A, B, C and vectors x, y, z."""
    matrices = ", ".join(f"double {name}[n][n]" for name in "ABC")
    vectors = ", ".join(f"double {name}[n]" for name in "xyz")
    (scop,) = read_c(
        f"void f(int n, int m, {matrices}, {vectors}, float u[n]) {{\n"
        f"  double s = 0;\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
    )
    return dependences(scop)


def tree_of(found: Dependences) -> isl.Schedule:
    """A new order, in bands that can be tiled."""
    return schedule(found, TILABLE).tree


def nest_of(region: str) -> Nest:
    """The nest of a region that is scheduled in one band."""
    found = found_in(region)
    (band,) = bands_of(tree_of(found))
    return nest_at(band, found)


def nests_as_written(region: str) -> list[Nest]:
    """The loops of a region as they are, outermost first."""
    found = found_in(region)
    return [nest_at(band, found) for band in bands_of(found.scop.schedule)]


def place_of(nest: Nest, iterator: str) -> int:
    """The position of the member that is an iterator of the source."""
    texts = [str(nest.node.band_get_partial_schedule().get_at(at)) for at in nest.members]
    (at,) = (at for at, text in enumerate(texts) if f"-> [({iterator})]" in text)
    return at
