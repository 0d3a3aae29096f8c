"""The programs that tests of interleavings share."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from loopwright import Scop, dependences, read_c
from loopwright.interleaving.programs import Program, program_of

KERNELS = Path(__file__).parents[2] / "benchmarks" / "kernels"
MANY = {"adi", "correlation", "covariance", "deriche", "durbin", "ludcmp"}
"""The kernels with so many statements that not all of their preorders can be looked at."""
SMALL = sorted({path.stem for path in KERNELS.glob("*.c")} - MANY)
THREE_PRODUCTS = """
void three(int N, double A[N][N], double B[N][N], double C[N][N], double D[N][N],
           double E[N][N], double F[N][N], double G[N][N]) {
#pragma scop
  for (int i1 = 0; i1 < N; i1++)
    for (int j1 = 0; j1 < N; j1++)
      for (int k1 = 0; k1 < N; k1++)
        R: C[i1][j1] += A[i1][k1] * B[k1][j1];
  for (int i2 = 0; i2 < N; i2++)
    for (int j2 = 0; j2 < N; j2++)
      for (int k2 = 0; k2 < N; k2++)
        S: F[i2][j2] += D[i2][k2] * E[k2][j2];
  for (int i3 = 0; i3 < N; i3++)
    for (int j3 = 0; j3 < N; j3++)
      for (int k3 = 0; k3 < N; k3++)
        T: G[i3][j3] += C[i3][k3] * F[k3][j3];
#pragma endscop
}
"""
"""ThreeMatMat (Pouchet et al. 2011, Figure 1)."""


@cache
def kernel(name: str) -> Scop:
    """The region of a kernel of the benchmarks."""
    (scop,) = read_c(KERNELS / f"{name}.c")
    return scop


def program(text: str | Path) -> Program:
    """The only region of a text or a file, with its reads."""
    (scop,) = read_c(text)
    return program_of(dependences(scop, inputs=True))


@cache
def kernel_program(name: str) -> Program:
    """A kernel as the search sees it, with its reads."""
    return program_of(dependences(kernel(name), inputs=True))
