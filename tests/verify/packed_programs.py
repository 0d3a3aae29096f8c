"""Programs whose new text works on copies of tiles, packed into local arrays."""

from __future__ import annotations

from tests.verify.programs import Case, function, guarded

SYRK = """for (int i = 0; i < n; i++)
  for (int j = 0; j <= i; j++)
    for (int k = 0; k < m; k++)
      C[i][j] += A[i][k] * A[j][k];"""
THREADS = """#pragma omp parallel for schedule(dynamic)
    for (long c0 = 0; c0 < n; c0 += 16)
      for (long c1 = 0; c1 <= c0; c1 += 16)
        for (long c2 = 0; c2 < m; c2 += 32) {"""
TRANSPOSED = Case(
    "a transposed tile in each thread",
    function("int n, int m, double A[n][m], double C[n][n]", SYRK),
    guarded(
        "n >= 1 && m >= 1 && n <= 1000000 && m <= 1000000",
        """
    #pragma omp parallel for schedule(dynamic)
    for (long c0 = 0; c0 < n; c0 += 16)
      for (long c1 = 0; c1 <= c0; c1 += 16)
        for (long c2 = 0; c2 < m; c2 += 32) {
          double packed[32][16];
          for (long c3 = c1; c3 < lw_min(n, c1 + 16); c3++)
            for (long c4 = c2; c4 < lw_min(m, c2 + 32); c4++)
              packed[c4 - c2][c3 - c1] = A[c3][c4]; // move
          for (long c3 = c0; c3 < lw_min(n, c0 + 16); c3++)
            for (long c4 = c2; c4 < lw_min(m, c2 + 32); c4++) {
              #pragma omp simd
              for (long c5 = c1; c5 <= lw_min(c1 + 15, c3); c5++)
                C[c3][c5] += A[c3][c4] * packed[c4 - c2][c5 - c1]; // S0(c3, c5, c4)
            }
        }""",
        SYRK,
        "min",
    ),
    {
        "wrong origin of the tile": ("= A[c3][c4]; // move", "= A[c3 - c1 + c0][c4]; // move"),
        "from the column before": ("= A[c3][c4]; // move", "= A[c3][c4 - 1]; // move"),
        "from the row before": ("= A[c3][c4]; // move", "= A[c3 - 1][c4]; // move"),
        "wrong origin of the copy": ("* packed[c4 - c2]", "* packed[c4 - c2 + 1]"),
        "not transposed": ("* packed[c4 - c2][c5 - c1]", "* packed[c5 - c1][c4 - c2]"),
        "not filled for the next tile": (
            "for (long c3 = c1; c3 < lw_min(n, c1 + 16); c3++)",
            "if (c2 == 0) for (long c3 = c1; c3 < lw_min(n, c1 + 16); c3++)",
        ),
        "not filled to the end": (
            "c4 < lw_min(m, c2 + 32); c4++)\n              packed",
            "c4 < lw_min(m, c2 + 31); c4++)\n              packed",
        ),
        "shared by the threads": (
            f"{THREADS}\n          double packed[32][16];",
            f"double packed[32][16];\n    {THREADS}",
        ),
        "shared as it is static": ("double packed[32][16]", "static double packed[32][16]"),
        "too few rows": ("double packed[32][16]", "double packed[31][16]"),
        "too few columns": ("double packed[32][16]", "double packed[32][15]"),
        "before the array": ("packed[c4 - c2][c3 - c1] =", "packed[c4 - c2 - 1][c3 - c1] ="),
        "nowhere in the array": ("packed[c4 - c2][c3 - c1] =", "packed[c4 - c2 + 99][c3 - c1] ="),
        "float": ("double packed", "float packed"),
        "filled by every other": (
            "c3++)\n            for (long c4 = c2; c4 < lw_min(m, c2 + 32)",
            "c3 += 2)\n            for (long c4 = c2; c4 < lw_min(m, c2 + 32)",
        ),
        "in parallel over the sum": (
            "for (long c2 = 0",
            "#pragma omp parallel for\nfor (long c2 = 0",
        ),
        "beyond the array": ("c3 < lw_min(n, c1 + 16)", "c3 < c1 + 16"),
    },
)

PRODUCED = """for (int i = 0; i < n; i++)
  A[i] = x[i] + 1.0;
for (int i = 0; i < n; i++)
  for (int j = 0; j < m; j++)
    y[j] += A[i] * B[i][j];"""
FRESH = Case(
    "a tile of what was just computed",
    function("int n, int m, double A[n], double x[n], double y[m], double B[n][m]", PRODUCED),
    guarded(
        "n >= 1 && m >= 1 && n <= 1000000",
        """
    for (long c0 = 0; c0 < n; c0 += 64) {
      double tile[64];
      for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)
        A[c1] = x[c1] + 1.0; // S0(c1)
      for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)
        tile[c1 - c0] = A[c1]; // move
      #pragma omp parallel for
      for (long c2 = 0; c2 < m; c2++)
        for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)
          y[c2] += tile[c1 - c0] * B[c1][c2]; // S1(c1, c2)
    }""",
        PRODUCED,
        "min",
    ),
    {
        "packed before it is computed": (
            "A[c1] = x[c1] + 1.0; // S0(c1)\n"
            "      for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)\n"
            "        tile[c1 - c0] = A[c1]; // move",
            "tile[c1 - c0] = A[c1]; // move\n"
            "      for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)\n"
            "        A[c1] = x[c1] + 1.0; // S0(c1)",
        ),
        "packed too late": (
            "tile[c1 - c0] = A[c1]; // move\n"
            "      #pragma omp parallel for\n"
            "      for (long c2 = 0; c2 < m; c2++)\n"
            "        for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)\n"
            "          y[c2] += tile[c1 - c0] * B[c1][c2]; // S1(c1, c2)",
            "{}\n#pragma omp parallel for\n"
            "      for (long c2 = 0; c2 < m; c2++)\n"
            "        for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)\n"
            "          y[c2] += tile[c1 - c0] * B[c1][c2]; // S1(c1, c2)\n"
            "tile[0] = A[c0]; // move",
        ),
        "packed from the next tile": ("= A[c1]; // move", "= A[lw_min(n - 1, c1 + 64)]; // move"),
        "packed over by another": (
            "tile[c1 - c0] = A[c1]; // move",
            "{ tile[c1 - c0] = A[c1]; // move\ntile[0] = A[c1]; // move\n}",
        ),
        "written by all threads": (
            "for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)\n        tile",
            "#pragma omp parallel for\nfor (long c2 = 0; c2 < m; c2++)\n"
            "for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)\n        tile",
        ),
    },
)

LOOKED_UP = """double t[100];
for (int i = 0; i < 50; i++)
  t[i] = x[i];
for (int i = 0; i < n; i++)
  y[i] = t[p[i]];"""
SELECTED = Case(
    "an array of the region that data select from",
    function("int n, int *p, double *x, double *y", LOOKED_UP),
    """{ double t[100];
    for (long c0 = 0; c0 < 50; c0++)
      t[c0] = x[c0]; // S0(c0)
    for (long c0 = 0; c0 < n; c0++)
      y[c0] = t[p[c0]]; // S1(c0)
    }""",
    {"smaller than it was": ("double t[100]", "double t[50]")},
)

ONE_SUM = """for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++)
    y[i] += A[i][j];"""
ONE_ELEMENT = Case(
    "an array of one element",
    function("int n, double A[n][n], double y[n]", ONE_SUM),
    guarded(
        "n >= 1",
        """
    for (long c0 = 0; c0 < n; c0++) {
      double s[1];
      s[0] = y[c0]; // move
      for (long c1 = 0; c1 < n; c1++)
        s[0] += A[c0][c1]; // S0(c0, c1)
      y[c0] = s[0]; // move
    }""",
        ONE_SUM,
    ),
    {
        "read beyond it": ("= s[0]; // move", "= s[5]; // move"),
        "written beyond it": ("s[0] = y[c0]", "s[1] = y[c0]"),
        "computed beyond it": ("s[0] +=", "s[1] +="),
    },
)

SCALED = "for (int i = 0; i < n; i++)\n  y[i] = 2.0 * A[0];"
ONLY_ONE = Case(
    "an array of the program with one element",
    function("int n, double A[1], double y[n]", SCALED),
    guarded(
        "n >= 1",
        """
    for (long c0 = 0; c0 < n; c0++)
      y[c0] = 2.0 * A[0]; // S0(c0)
    """,
        SCALED,
    ),
    {"read beyond it": ("A[0]", "A[5]"), "read by the iterator": ("A[0]", "A[c0]")},
)

BY_THE_WAY = """C[0] = 1.0;
for (int i = 0; i < n; i++) {
  double t;
  t = x[i] + 1.0;
  y[i] = t;
}"""
KEPT_OUT = Case(
    "a variable that stays in no other array",
    function("int n, double x[n], double y[n], double C[n]", BY_THE_WAY),
    guarded(
        "n >= 1",
        """
    C[0] = 1.0; // S0()
    for (long c0 = 0; c0 < n; c0++) {
      double t[2];
      t[1] = x[c0] + 1.0; // S1(c0)
      y[c0] = t[1]; // S2(c0)
    }""",
        BY_THE_WAY,
    ),
    {
        "in one that lives on": (
            "t[1] = x[c0] + 1.0; // S1(c0)\n      y[c0] = t[1];",
            "C[c0] = x[c0] + 1.0; // S1(c0)\n      y[c0] = C[c0];",
        ),
        "in one that is written": (
            "t[1] = x[c0] + 1.0; // S1(c0)\n      y[c0] = t[1];",
            "y[0] = x[c0] + 1.0; // S1(c0)\n      y[c0] = y[0];",
        ),
    },
)

PACKED_CASES = [TRANSPOSED, FRESH, SELECTED, ONE_ELEMENT, ONLY_ONE, KEPT_OUT]
