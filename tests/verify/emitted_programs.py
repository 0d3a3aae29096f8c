"""Programs like those of the benchmarks, and the text that the compiler emits for them.

Machines with small caches and few registers have small tiles, so that a few iterations are enough
to see all of the new loops at work.
"""

from __future__ import annotations

import re

from loopwright import optimize
from loopwright.model.expressions import expression_text
from loopwright.model.proofs import Hint, Instance, hint_from_loops
from tests.optimize.checking import Shape, mapped_for
from tests.verify.mutants import parted
from tests.verify.programs import Case, function
from tests.verify.rewritten import REGION

SMALL = Shape(row=4, l2=1024, registers=8)
REGISTERS = Shape(row=8, l2=2048, registers=16)
KERNELS: dict[str, tuple[Shape, str, str]] = {
    "gemm": (
        REGISTERS,
        "int n, int m, double A[n][n], double B[n][m], double C[n][m]",
        """for (int i = 0; i < n; i++) {
  for (int j = 0; j < m; j++)
    C[i][j] *= 1.5;
  for (int k = 0; k < n; k++)
    for (int j = 0; j < m; j++)
      C[i][j] += A[i][k] * B[k][j];
}""",
    ),
    "syrk": (
        SMALL,
        "int n, int m, double A[n][m], double C[n][n]",
        """for (int i = 0; i < n; i++)
  for (int j = 0; j <= i; j++)
    for (int k = 0; k < m; k++)
      C[i][j] += A[i][k] * A[j][k];""",
    ),
    "trmm": (
        SMALL,
        "int n, int m, double A[n][n], double B[n][m]",
        """for (int i = 0; i < n; i++)
  for (int j = 0; j < m; j++)
    for (int k = i + 1; k < n; k++)
      B[i][j] += A[k][i] * B[k][j];""",
    ),
    "lu": (
        SMALL,
        "int n, double A[n][n]",
        """for (int i = 0; i < n; i++) {
  for (int j = 0; j < i; j++) {
    for (int k = 0; k < j; k++)
      A[i][j] -= A[i][k] * A[k][j];
    A[i][j] /= A[j][j] + 2.0;
  }
  for (int j = i; j < n; j++)
    for (int k = 0; k < i; k++)
      A[i][j] -= A[i][k] * A[k][j];
}""",
    ),
    "jacobi-1d": (
        SMALL,
        "int T, int n, double A[n], double B[n]",
        """for (int t = 0; t < T; t++) {
  for (int i = 1; i < n - 1; i++)
    B[i] = 0.25 * (A[i - 1] + A[i] + A[i + 1]);
  for (int i = 1; i < n - 1; i++)
    A[i] = 0.25 * (B[i - 1] + B[i] + B[i + 1]);
}""",
    ),
    "seidel-2d": (
        SMALL,
        "int T, int n, double A[n][n]",
        """for (int t = 0; t < T; t++)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5.0;""",
    ),
    "atax": (
        SMALL,
        "int n, int m, double A[n][m], double x[m], double y[m], double t[n]",
        """for (int i = 0; i < m; i++)
  y[i] = 0;
for (int i = 0; i < n; i++) {
  t[i] = 0.0;
  for (int j = 0; j < m; j++)
    t[i] = t[i] + A[i][j] * x[j];
  for (int j = 0; j < m; j++)
    y[j] = y[j] + A[i][j] * t[i];
}""",
    ),
    "gesummv": (
        SMALL,
        "int n, double A[n][n], double B[n][n], double t[n], double x[n], double y[n]",
        """for (int i = 0; i < n; i++) {
  t[i] = 0.0;
  y[i] = 0.0;
  for (int j = 0; j < n; j++) {
    t[i] = A[i][j] * x[j] + t[i];
    y[i] = B[i][j] * x[j] + y[i];
  }
  y[i] = 1.5 * t[i] + 1.2 * y[i];
}""",
    ),
    "covariance": (
        REGISTERS,
        "int n, int m, double D[n][m], double C[m][m], double a[m]",
        """for (int j = 0; j < m; j++) {
  a[j] = 0.0;
  for (int i = 0; i < n; i++)
    a[j] += D[i][j];
  a[j] /= 7.0;
}
for (int i = 0; i < n; i++)
  for (int j = 0; j < m; j++)
    D[i][j] -= a[j];
for (int i = 0; i < m; i++)
  for (int j = i; j < m; j++) {
    C[i][j] = 0.0;
    for (int k = 0; k < n; k++)
      C[i][j] += D[k][i] * D[k][j];
    C[j][i] = C[i][j];
  }""",
    ),
}
STATEMENT = re.compile(r"^ +(?!for\b|if\b|else\b|#)[^;]*=[^;]*;$", re.MULTILINE)


def emitted(name: str) -> Case:
    """A program with the text that is emitted for it; comments are the hint."""
    shape, parameters, region = KERNELS[name]
    program = function(parameters, region)
    with mapped_for(shape):
        result = optimize(program, machine=shape.machine, prove=False)
    (only,) = result.regions
    assert only.loops is not None
    (text,) = (each.decode() for each in REGION.findall(result.content))
    generated, otherwise, kept = parted(text)
    commented = _commented(generated, hint_from_loops(only.loops))
    return Case(name, program, commented + otherwise + kept, {})


def _commented(text: str, hint: Hint) -> str:
    """The text with a comment behind each statement."""
    entries = iter(hint)
    found = STATEMENT.sub(lambda match: f"{match.group()} // {_comment(next(entries))}", text)
    assert next(entries, 0) == 0, "there are more hints than statements"
    return found


def _comment(entry: Instance | None) -> str:
    if entry is None:
        return "move"
    return f"{entry.statement}({', '.join(map(expression_text, entry.values))})"
