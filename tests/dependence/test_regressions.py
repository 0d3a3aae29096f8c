"""Programs that were once analysed wrongly."""

from __future__ import annotations

import islpy as isl

from loopwright import dependences, read_c, violations

WRITES_SOMEWHERE = """
static void store(double *p, int k, double v) { p[k] = v; }
static double B[7][8];
static double C[5];
void kernel(int n, int m, int rows, int columns, double A[rows][columns])
{
#pragma scop
  for (int i = 0; i <= 4; i++)
    store(B[n + (-i) + 3], 2 * n,
          (((((2 * m + 3) > (-2) ? (2 * m + 3) : (-2))) % 2 <= 0 && A[-2 * n - 2 + 8][i] < 1
            ? B[n - 1][3 * n - 2] : A[3 * m][2 * i - 1 + 1]) + (C[(3 * i + 2 * m - 3) % 4 + 1])));
#pragma endscop
}
"""


def test_an_empty_piece_is_no_zero() -> None:
    """isl's ``dim_min_val`` took the second instance of a pair for the first."""
    (scop,) = read_c(WRITES_SOMEWHERE)
    third = "floor(i/3)"
    times = f"[floor(i/2) - {third}, {third}, -i + 2*{third}]"
    schedule = isl.UnionMap(f"{{ S0[i] -> {times} : 0 <= i <= 4 }}")
    found = violations(schedule, dependences(scop))
    assert {(each.source.iteration, each.sink.iteration) for each in found} == {((0,), (1,))}
