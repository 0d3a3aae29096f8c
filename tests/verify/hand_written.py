"""Loops before and after somebody has rewritten them by hand, rightly or wrongly."""

from __future__ import annotations

from loopwright.basics.records import record


@record
class Pair:
    """A program and what became of it; both are whole files."""

    original: str
    transformed: str


def program(parameters: str, body: str, *, is_marked: bool = True, before: str = "") -> str:
    """A function with one region, or without its marks."""
    opening, closing = ("#pragma scop\n", "#pragma endscop\n") if is_marked else ("", "")
    return f"{before}void f({parameters})\n{{\n{opening}{body}{closing}}}\n"


def pairs(parameters: str, original: str, texts: dict[str, str]) -> dict[str, Pair]:
    """Several new texts for the same region, with names.

    What stands in front of a line of dashes is put in front of the function.
    """
    found: dict[str, Pair] = {}
    for name, text in texts.items():
        before, dashes, rest = text.partition("---\n")
        body, head = (rest, before) if dashes else (text, "")
        new = program(parameters, body, is_marked="unmarked" not in name, before=head)
        found[name] = Pair(program(parameters, original), new)
    return found


MATMUL = """\
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i][j] = 0;
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
"""
MATRICES = "int n, double A[n][n], double B[n][n], double C[n][n]"

RIGHT_MATMUL = {
    "tiling, with macros": """\
#define TILE 32
#define MIN(a, b) ((a) < (b) ? (a) : (b))
---
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[i][j] = 0;
  for (int ii = 0; ii < n; ii += TILE)
    for (int jj = 0; jj < n; jj += TILE)
      for (int kk = 0; kk < n; kk += TILE)
        for (int i = ii; i < MIN(n, ii + TILE); i++)
          for (int k = kk; k < MIN(n, kk + TILE); k++)
            for (int j = jj; j < MIN(n, jj + TILE); j++)
              C[i][j] += A[i][k] * B[k][j];
""",
    "tiling, unmarked, in the old style": """\
  int i, j, k;
  int jj;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      C[i][j] = 0;
  for (jj = 0; jj < n; jj += 8)
    for (i = 0; i < n; i++)
      for (k = 0; k < n; k++)
        for (j = jj; j < n && j < jj + 8; j++)
          C[i][j] += A[i][k] * B[k][j];
""",
    "interchange": """\
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[i][j] = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        C[i][j] += A[i][k] * B[k][j];
""",
    "a scalar accumulator": """\
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
""",
    "a scalar accumulator that is loaded": """\
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i][j] = 0;
      double sum = C[i][j];
      for (int k = 0; k < n; k++)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
""",
    "an accumulator for all iterations": """\
  double sum;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      sum = 0;
      for (int k = 0; k < n; k++)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
""",
    "unrolling, with a remainder": """\
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i][j] = 0;
      for (int k = 0; k < n - 3; k += 4) {
        C[i][j] += A[i][k] * B[k][j];
        C[i][j] += A[i][k + 1] * B[k + 1][j];
        C[i][j] += A[i][k + 2] * B[k + 2][j];
        C[i][j] += A[i][k + 3] * B[k + 3][j];
      }
      for (int k = n / 4 * 4; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
""",
    "unrolling, with a rest that goes on": """\
  int i, j, k;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      double sum = 0;
      for (k = 0; k + 3 < n; k += 4) {
        sum += A[i][k] * B[k][j];
        sum += A[i][k + 1] * B[k + 1][j];
        sum += A[i][k + 2] * B[k + 2][j];
        sum += A[i][k + 3] * B[k + 3][j];
      }
      for (; k < n; k++)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
""",
    "register blocking": """\
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[i][j] = 0;
  for (int i = 0; i < n - 1; i += 2)
    for (int j = 0; j < n; j++) {
      double c0 = C[i][j];
      double c1 = C[i + 1][j];
      for (int k = 0; k < n; k++) {
        double b = B[k][j];
        c0 += A[i][k] * b;
        c1 += A[i + 1][k] * b;
      }
      C[i][j] = c0;
      C[i + 1][j] = c1;
    }
  if (n % 2 == 1)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[n - 1][j] += A[n - 1][k] * B[k][j];
""",
    "parallel": """\
  #pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i][j] = 0;
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
""",
    "parallel, with private iterators": """\
  int i, j, k;
  #pragma omp parallel for private(j, k)
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      C[i][j] = 0;
      for (k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
""",
    "loops that run backwards": """\
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < n; j++) {
      C[n - 1 - i][j] = 0;
      for (int k = 0; k < n; k++)
        C[n - 1 - i][j] += A[n - 1 - i][k] * B[k][j];
    }
""",
    "peeling": """\
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i][j] = 0;
      C[i][j] += A[i][0] * B[0][j];
      for (int k = 1; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
""",
    "a packed tile": """\
  double column[64];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[i][j] = 0;
  for (int kk = 0; kk < n; kk += 64)
    for (int j = 0; j < n; j++) {
      for (int k = kk; k < kk + 64 && k < n; k++)
        column[k - kk] = B[k][j];
      for (int i = 0; i < n; i++)
        for (int k = kk; k < kk + 64 && k < n; k++)
          C[i][j] += A[i][k] * column[k - kk];
    }
""",
}
RIGHT_MATMUL["unrolling, with a longer rest that goes on"] = RIGHT_MATMUL[
    "unrolling, with a rest that goes on"
].replace("k + 3 < n", "k + 4 < n - 1")
WRONG_MATMUL = {
    "one off": RIGHT_MATMUL["interchange"].replace("k = 0", "k = 1"),
    "too early": MATMUL.replace("      C[i][j] = 0;\n", "").replace("    }\n", "    }\n")
    + "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      C[i][j] = 0;\n",
    "no remainder": RIGHT_MATMUL["unrolling, with a remainder"].replace(
        "      for (int k = n / 4 * 4; k < n; k++)\n        C[i][j] += A[i][k] * B[k][j];\n", ""
    ),
    "remainder begins too early": RIGHT_MATMUL["unrolling, with a remainder"].replace(
        "n / 4 * 4", "(n - 1) / 4 * 4"
    ),
    "a rest that goes on too late": RIGHT_MATMUL["unrolling, with a rest that goes on"].replace(
        "for (; k", "k++;\n      for (; k"
    ),
    "a rest that begins before the end": RIGHT_MATMUL[
        "unrolling, with a rest that goes on"
    ].replace("k += 4", "k += 3"),
    "a rest of a parallel loop": RIGHT_MATMUL["unrolling, with a rest that goes on"]
    .replace("double sum = 0", "C[i][j] = 0")
    .replace("sum +=", "C[i][j] +=")
    .replace("      C[i][j] = sum;\n", "")
    .replace("      for (k", "      #pragma omp simd\n      for (k"),
    "a race": MATMUL.replace(
        "      for (int k", "      #pragma omp parallel for\n      for (int k"
    ),
    "shared iterators": RIGHT_MATMUL["parallel, with private iterators"].replace(
        "private(j, k)", "private(j)"
    ),
    "an accumulator that is not reset": """\
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
""",
    "an accumulator of another type": RIGHT_MATMUL["a scalar accumulator"].replace(
        "double sum", "float sum"
    ),
    "two matrices mixed up": MATMUL.replace("A[i][k] * B[k][j]", "B[i][k] * A[k][j]"),
    "tiles that overlap": RIGHT_MATMUL["tiling, with macros"].replace(
        "MIN(n, kk + TILE)", "MIN(n, kk + TILE + 1)"
    ),
    "tiles beyond the end": RIGHT_MATMUL["tiling, with macros"].replace(
        "MIN(n, kk + TILE)", "kk + TILE"
    ),
    "an accumulator shared by threads": RIGHT_MATMUL["an accumulator for all iterations"].replace(
        "  for (int j", "  #pragma omp parallel for\n  for (int j", 1
    ),
    "the wrong macro": RIGHT_MATMUL["tiling, with macros"].replace("(a) < (b)", "(a) > (b)"),
}

STENCIL = """\
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
  }
"""
LINES = "short n, short T, double *A, double *B"
RIGHT_STENCIL = {
    "fusion with a shift": """\
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n; i++) {
      if (i < n - 1)
        B[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
      if (i > 1)
        A[i - 1] = B[i - 1];
    }
""",
    "skewed time tiles": """\
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
---
  for (int tt = 0; tt < T; tt += 4)
    for (int ii = 2 * tt + 1; ii < 2 * tt + n + 8; ii += 16)
      for (int t = tt; t < min(T, tt + 4); t++)
        for (int i = max(ii, 2 * t + 1); i < min(ii + 16, 2 * t + n); i++) {
          if (i - 2 * t < n - 1)
            B[i - 2 * t] = 0.33 * (A[i - 2 * t - 1] + A[i - 2 * t] + A[i - 2 * t + 1]);
          if (i - 2 * t > 1)
            A[i - 2 * t - 1] = B[i - 2 * t - 1];
        }
""",
    "unrolled time": """\
  for (int t = 0; t < T; t += 2) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
    if (t + 1 < T) {
      for (int i = 1; i < n - 1; i++)
        B[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
      for (int i = 1; i < n - 1; i++)
        A[i] = B[i];
    }
  }
""",
    "time from one on": STENCIL.replace("t = 0; t < T", "t = 1; t <= T"),
    "time peeled": """\
  if (T > 0) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
  }
  for (int t = 1; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
  }
""",
    "inner loops in parallel": STENCIL.replace(
        "    for (int i", "    #pragma omp parallel for\n    for (int i"
    ),
    "inner loops backwards": STENCIL.replace("i = 1; i < n - 1; i++", "i = n - 2; i >= 1; i--"),
    "indices shifted": STENCIL.replace("i = 1; i < n - 1", "i = 0; i < n - 2")
    .replace("[i + 1]", "[i + 2]")
    .replace("[i]", "[i + 1]")
    .replace("[i - 1]", "[i]"),
    "strips": """\
  for (int t = 0; t < T; t++) {
    for (int s = 0; s <= (n - 2) / 8; s++)
      for (int i = s == 0 ? 1 : 8 * s; i < 8 * s + 8 && i < n - 1; i++)
        B[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
  }
""",
}
WRONG_STENCIL = {
    "fusion without a shift": """\
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++) {
      B[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
      A[i] = B[i];
    }
""",
    "time tiles that are not skewed": RIGHT_STENCIL["skewed time tiles"]
    .replace("2 * tt", "0")
    .replace("2 * t", "0"),
    "one step too many": STENCIL.replace("t < T", "t <= T"),
    "time in parallel": "  #pragma omp parallel for\n" + STENCIL,
    "the other array": STENCIL.replace("A[i] = B[i]", "A[i] = A[i]"),
    "an operand less": STENCIL.replace(" + A[i + 1]", ""),
    "another constant": STENCIL.replace("0.33", "0.34"),
    "another order of a sum": STENCIL.replace("A[i - 1] + A[i]", "A[i] + A[i - 1]"),
}

SEIDEL = """\
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5.0;
"""
GRID = "short T, short n, double A[n][n]"
SKEWED = """\
  for (int t = 0; t < T; t++)
    for (int i = t + 1; i < t + n - 1; i++)
      for (int j = t + i + 1; j < t + i + n - 1; j++)
        A[i - t][j - i - t] = (A[i - t - 1][j - i - t] + A[i - t][j - i - t - 1]
                               + A[i - t][j - i - t] + A[i - t][j - i - t + 1]
                               + A[i - t + 1][j - i - t]) / 5.0;
"""
RIGHT_SEIDEL = {
    "skewing": SKEWED,
    "a wavefront": """\
  for (int t = 0; t < T; t++)
    for (int w = 2; w < 2 * n - 3; w++)
      #pragma omp parallel for
      for (int i = (w - n + 2 > 1 ? w - n + 2 : 1); i < (w < n - 1 ? w : n - 1); i++)
        A[i][w - i] = (A[i - 1][w - i] + A[i][w - i - 1] + A[i][w - i] + A[i][w - i + 1]
                       + A[i + 1][w - i]) / 5.0;
""",
}
WRONG_SEIDEL = {
    "backwards": SEIDEL.replace("i = 1; i < n - 1; i++", "i = n - 2; i >= 1; i--"),
    "rows in parallel": SEIDEL.replace(
        "    for (int i", "    #pragma omp parallel for\n    for (int i"
    ),
    "interchange with time": """\
  for (int i = 1; i < n - 1; i++)
    for (int t = 0; t < T; t++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5.0;
""",
}

TWO_LOOPS = """\
  for (int i = 0; i < n; i++)
    x[i] = a * y[i];
  for (int i = 0; i < n; i++)
    z[i] = x[i] + y[i];
"""
VECTORS = "short n, double a, double *x, double *y, double *z"
RIGHT_VECTORS = {
    "fusion": """\
  for (int i = 0; i < n; i++) {
    x[i] = a * y[i];
    z[i] = x[i] + y[i];
  }
""",
    "a value kept in a scalar": """\
  for (int i = 0; i < n; i++) {
    double t = a * y[i];
    x[i] = t;
    z[i] = t + y[i];
  }
""",
    "an operand loaded first": """\
  for (int i = 0; i < n; i++) {
    const double t = y[i];
    x[i] = a * t;
    z[i] = x[i] + t;
  }
""",
    "a collapsed index": """\
  for (int i = 0; i < n; i++)
    x[i] = a * y[i];
  for (int b = 0; b < (n + 3) / 4; b++)
    for (int r = 0; r < 4; r++)
      if (4 * b + r < n)
        z[4 * b + r] = x[4 * b + r] + y[4 * b + r];
""",
    "vectors": TWO_LOOPS.replace("  for", "  #pragma omp simd\n  for"),
}
WRONG_VECTORS = {
    "fusion in the wrong order": """\
  for (int i = 0; i < n; i++) {
    z[i] = x[i] + y[i];
    x[i] = a * y[i];
  }
""",
    "a scalar of the last iteration": """\
  double t = 0;
  for (int i = 0; i < n; i++) {
    z[i] = t + y[i];
    t = a * y[i];
    x[i] = t;
  }
""",
    "a loop is gone": "  for (int i = 0; i < n; i++)\n    z[i] = x[i] + y[i];\n",
}

COPIED = """\
  for (int i = 0; i < 24; i++)
    for (int j = 0; j < 40; j++)
      P[i][j] = 2 * Q[j][i];
"""
FIXED = "double P[24][40], double Q[40][24]"
RIGHT_FIXED = {
    "one loop for two": """\
  for (int k = 0; k < 24 * 40; k++)
    P[k / 40][k % 40] = 2 * Q[k % 40][k / 40];
""",
    "tiles that fit": """\
  for (int ii = 0; ii < 24; ii += 8)
    for (int jj = 0; jj < 40; jj += 8)
      for (int i = ii; i < ii + 8; i++)
        for (int j = jj; j < jj + 8; j++)
          P[i][j] = 2 * Q[j][i];
""",
}
WRONG_FIXED = {
    "the wrong remainder": """\
  for (int k = 0; k < 24 * 40; k++)
    P[k / 40][k % 40] = 2 * Q[k % 24][k / 40];
""",
    "tiles that do not fit": RIGHT_FIXED["tiles that fit"].replace("ii += 8", "ii += 16"),
}

RECURRENCE = "  for (int i = 1; i < n; i++)\n    y[i] = y[i - 1] + x[i];\n"
RIGHT_RECURRENCE = {
    "a scalar carries the value": """\
  if (n > 1) {
    double last = y[0];
    for (int i = 1; i < n; i++) {
      last = last + x[i];
      y[i] = last;
    }
  }
""",
}
WRONG_RECURRENCE = {
    "backwards": "  for (int i = n - 1; i >= 1; i--)\n    y[i] = y[i - 1] + x[i];\n",
    "in parallel": "  #pragma omp parallel for\n" + RECURRENCE,
    "vectors": "  #pragma omp simd\n" + RECURRENCE,
}

SUM = "  s[0] = 0;\n  for (int i = 0; i < n; i++)\n    s[0] += x[i];\n"
RIGHT_SUM = {
    "a scalar": """\
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  s[0] = sum;
""",
}
WRONG_SUM = {
    "backwards": SUM.replace("i = 0; i < n; i++", "i = n - 1; i >= 0; i--"),
    "in parts": """\
  double a = 0;
  double b = 0;
  for (int i = 0; i < n - 1; i += 2) {
    a += x[i];
    b += x[i + 1];
  }
  s[0] = a + b;
""",
    "a race": "  s[0] = 0;\n  #pragma omp parallel for\n"
    "  for (int i = 0; i < n; i++)\n    s[0] += x[i];\n",
}

RIGHT = {
    **pairs(MATRICES, MATMUL, RIGHT_MATMUL),
    **pairs(LINES, STENCIL, RIGHT_STENCIL),
    **pairs(GRID, SEIDEL, RIGHT_SEIDEL),
    **pairs(VECTORS, TWO_LOOPS, RIGHT_VECTORS),
    **pairs(FIXED, COPIED, RIGHT_FIXED),
    **pairs("int n, double *x, double *y", RECURRENCE, RIGHT_RECURRENCE),
    **pairs("int n, double *x, double *s", SUM, RIGHT_SUM),
}
WRONG = {
    f"{what}: {name}": pair
    for what, found in {
        "matmul": pairs(MATRICES, MATMUL, WRONG_MATMUL),
        "stencil": pairs(LINES, STENCIL, WRONG_STENCIL),
        "seidel": pairs(GRID, SEIDEL, WRONG_SEIDEL),
        "vectors": pairs(VECTORS, TWO_LOOPS, WRONG_VECTORS),
        "copies": pairs(FIXED, COPIED, WRONG_FIXED),
        "recurrence": pairs("int n, double *x, double *y", RECURRENCE, WRONG_RECURRENCE),
        "sum": pairs("int n, double *x, double *s", SUM, WRONG_SUM),
    }.items()
    for name, pair in found.items()
}
