"""Kernels whose statements have mappings of their own: the original loops, and the new order.

All have one symbolic constant, n.  The mappings keep all dependences and the order of every sum, so
that each program computes the same bits as the original.  Arrays whose columns are contiguous are
written with their subscripts the other way round, as the paper's Fortran would keep them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import islpy as isl

from loopwright.polyhedra.unions import maps_of

__all__ = ["KERNELS", "Kernel"]


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A program, and a mapping of its instances to times."""

    name: str
    about: str
    mapping: str
    """From instances to times, as isl reads it."""

    statements: Mapping[str, str]
    """What the statements do: ``S1(k, i)`` and an expression of C, and macros that they use."""

    original: str
    """The loops that the mapping is about, in C; ``integer`` is the type of their iterators."""

    shapes: Mapping[str, tuple[int, int]]
    """The arrays: rows and columns, enough for the greatest n."""

    depth: int
    """So many loops are around the innermost statement in the new order."""

    size: int
    """The n at which instructions are counted; no multiple of the blocks."""

    other_sizes: tuple[int, ...]
    """More values of n at which the results are compared: within a block, at its ends, beyond."""

    least: int = 2
    """What is known of n."""

    @property
    def statement_count(self) -> int:
        """The statements of the original."""
        return len(maps_of(self.times))

    @property
    def context(self) -> isl.Set:
        """The same, freshly read."""
        return isl.Set(f"[n] -> {{ : n >= {self.least} }}")

    @property
    def times(self) -> isl.UnionMap:
        """The mapping, freshly read."""
        return isl.UnionMap(self.mapping)


LU = Kernel(
    "lu",
    "LU decomposition in blocks of 64 rows and steps, the example of the paper",
    """[n] -> {
    S1[k, i] -> [64*floor((k - 1)/64) + 1, 64*floor(i/64), k, k, i] : 1 <= k < i <= n;
    S2[k, i, j] -> [64*floor((k - 1)/64) + 1, 64*floor(i/64), j, k, i] :
        1 <= k and k < i <= n and k < j <= n }""",
    {
        "S1(k, i)": "a[k][i] = a[k][i] / a[k][k]",
        "S2(k, i, j)": "a[j][i] = a[j][i] - a[k][i] * a[j][k]",
    },
    """
for (integer k = 1; k <= n; k += 1)
  for (integer i = k + 1; i <= n; i += 1) {
    S1(k, i);
    for (integer j = k + 1; j <= n; j += 1)
      S2(k, i, j);
  }
""",
    shapes={"a": (252, 252)},
    depth=5,
    size=250,
    other_sizes=(2, 3, 40, 63, 64, 65, 66, 127, 128, 129, 150),
)

CHOLESKY = Kernel(
    "cholesky",
    "Cholesky decomposition in blocks of 32 rows and steps",
    """[n] -> {
    S1[k] -> [32*floor(k/32), 32*floor(k/32), k, k, k] : 0 <= k < n;
    S2[k, i] -> [32*floor(k/32), 32*floor(i/32), k, k, i] : 0 <= k < i < n;
    S3[k, i, j] -> [32*floor(k/32), 32*floor(i/32), j, k, i] : 0 <= k < j <= i < n }""",
    {
        "S1(k)": "a[k][k] = __builtin_sqrt(a[k][k])",
        "S2(k, i)": "a[k][i] = a[k][i] / a[k][k]",
        "S3(k, i, j)": "a[j][i] = a[j][i] - a[k][i] * a[k][j]",
    },
    """
for (integer k = 0; k < n; k += 1) {
  S1(k);
  for (integer i = k + 1; i < n; i += 1) {
    S2(k, i);
    for (integer j = k + 1; j <= i; j += 1)
      S3(k, i, j);
  }
}
""",
    shapes={"a": (252, 252)},
    depth=5,
    size=250,
    other_sizes=(2, 3, 20, 31, 32, 33, 34, 63, 64, 65, 100),
)

TRISOLV = Kernel(
    "trisolv",
    "a triangular system with n right-hand sides, in blocks of 32 by 32 coefficients",
    """[n] -> {
    S1[i, j, r] -> [32*floor(i/32), 32*floor(j/32), j, i, r] : 0 <= j < i < n and 0 <= r < n;
    S2[i, r] -> [32*floor(i/32), 32*floor(i/32), i, i, r] : 0 <= i < n and 0 <= r < n }""",
    {
        "S1(i, j, r)": "b[i][r] = b[i][r] - a[i][j] * b[j][r]",
        "S2(i, r)": "b[i][r] = b[i][r] / a[i][i]",
    },
    """
for (integer i = 0; i < n; i += 1) {
  for (integer j = 0; j < i; j += 1)
    for (integer r = 0; r < n; r += 1)
      S1(i, j, r);
  for (integer r = 0; r < n; r += 1)
    S2(i, r);
}
""",
    shapes={"a": (152, 152), "b": (152, 152)},
    depth=5,
    size=150,
    other_sizes=(2, 3, 20, 31, 32, 33, 34, 63, 64, 65, 100),
)

JACOBI = Kernel(
    "jacobi",
    "two statements of a stencil, shifted into one loop, skewed, in blocks of 16 steps by 64",
    """[n] -> {
    S1[t, i] -> [16*floor(t/16), 64*floor((2t + i)/64), t, 2t + i, 0] :
        0 <= t < n and 1 <= i < n - 1;
    S2[t, i] -> [16*floor(t/16), 64*floor((2t + i + 1)/64), t, 2t + i + 1, 1] :
        0 <= t < n and 1 <= i < n - 1 }""",
    {
        "S1(t, i)": "b[0][i] = (a[0][(i) - 1] + a[0][i] + a[0][(i) + 1]) / 3.0",
        "S2(t, i)": "a[0][i] = b[0][i]",
    },
    """
for (integer t = 0; t < n; t += 1) {
  for (integer i = 1; i < n - 1; i += 1)
    S1(t, i);
  for (integer i = 1; i < n - 1; i += 1)
    S2(t, i);
}
""",
    shapes={"a": (1, 702), "b": (1, 702)},
    depth=4,
    size=700,
    other_sizes=(3, 4, 15, 16, 17, 31, 33, 60, 63, 64, 65, 66, 67, 130),
    least=3,
)

MATMUL = Kernel(
    "matmul",
    "an imperfect matrix product, with its initialisation inside blocks of 32 by 32 by 32",
    """[n] -> {
    S1[i, j] -> [32*floor(i/32), 32*floor(j/32), 0, i, 0, j, 0] : 0 <= i < n and 0 <= j < n;
    S2[i, j, k] -> [32*floor(i/32), 32*floor(j/32), 32*floor(k/32), i, k, j, 1] :
        0 <= i < n and 0 <= j < n and 0 <= k < n }""",
    {
        "S1(i, j)": "c[i][j] = 0.5 * c[i][j]",
        "S2(i, j, k)": "c[i][j] = c[i][j] + a[i][k] * b[k][j]",
    },
    """
for (integer i = 0; i < n; i += 1)
  for (integer j = 0; j < n; j += 1) {
    S1(i, j);
    for (integer k = 0; k < n; k += 1)
      S2(i, j, k);
  }
""",
    shapes={"a": (122, 122), "b": (122, 122), "c": (122, 122)},
    depth=6,
    size=120,
    other_sizes=(2, 3, 20, 31, 32, 33, 34, 63, 64, 65, 90),
)

WAVELET = Kernel(
    "wavelet",
    "predict and update of a wavelet by columns, interleaved as even and odd, in blocks of 32",
    """[n] -> {
    S1[i, j] -> [64*floor(i/32), j, 2i] : 0 <= i < n and 0 <= j < n;
    S2[i, j] -> [64*floor(i/32), j, 2i + 1] : 1 <= i < n and 0 <= j < n }""",
    {
        "S1(i, j)": "ODD(i, j) = ODD(i, j) - 0.5 * (EVEN(i, j) + EVEN((i) + 1, j))",
        "S2(i, j)": "EVEN(i, j) = EVEN(i, j) + 0.25 * (ODD((i) - 1, j) + ODD(i, j))",
        "EVEN(i, j)": "a[2 * (i)][j]",
        "ODD(i, j)": "a[2 * (i) + 1][j]",
    },
    """
for (integer i = 0; i < n; i += 1)
  for (integer j = 0; j < n; j += 1)
    S1(i, j);
for (integer i = 1; i < n; i += 1)
  for (integer j = 0; j < n; j += 1)
    S2(i, j);
""",
    shapes={"a": (1002, 502)},
    depth=3,
    size=500,
    other_sizes=(2, 3, 20, 31, 32, 33, 34, 63, 64, 65, 100),
)

KERNELS = (LU, CHOLESKY, TRISOLV, JACOBI, MATMUL, WAVELET)
