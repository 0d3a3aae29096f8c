"""Programs and other texts for their regions, right ones and wrong ones.

Each right text has a comment behind every statement, as ``rewritten.hint_in`` wants it; the wrong
ones are the right one with something replaced.
"""

from __future__ import annotations

from dataclasses import dataclass

Replacement = tuple[str, str]


@dataclass(frozen=True)
class Case:
    """A program, the text that its region gets, and what would make that wrong.

    ``wrong`` has a name for each way to spoil it, and what is to be replaced by what: the first
    place of the text where it stands.
    """

    name: str
    program: str
    text: str
    wrong: dict[str, Replacement]

    def spoiled(self, name: str) -> str:
        """The text, wrong in one way."""
        old, new = self.wrong[name]
        assert old in self.text, f"{old} is not in {self.name}"
        return self.text.replace(old, new, 1)


def function(parameters: str, region: str) -> str:
    return f"void f({parameters}) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"


def guarded(test: str, text: str, region: str, helpers: str = "") -> str:
    """A text behind its test, with the original region as the alternative."""
    defines = {
        "min": "#define lw_min(x, y) ((x) < (y) ? (x) : (y))",
        "max": "#define lw_max(x, y) ((x) > (y) ? (x) : (y))",
    }
    names = helpers.split()
    head = "".join(f"{defines[each]}\n" for each in names)
    tail = "".join(f"\n#undef lw_{each}" for each in names)
    return f"{head}if ({test}) {{\n{text}\n}} else {{\n{region}\n}}{tail}"


TRANSPOSED = (
    "for (int i = 0; i < n; i++)\n  for (int j = 0; j < m; j++)\n    A[i][j] = 2 * A[i][j] + j;"
)
INTERCHANGE = Case(
    "interchange",
    function("int n, int m, double A[n][m]", TRANSPOSED),
    guarded(
        "n >= 1 && m >= 1",
        """
    for (int c0 = 0; c0 < m; c0++)
      for (int c1 = 0; c1 < n; c1++)
        A[c1][c0] = 2 * A[c1][c0] + c0; // S0(c1, c0)
    """,
        TRANSPOSED,
    ),
    {
        "bound": ("c1 < n", "c1 < n - 1"),
        "start": ("c1 = 0", "c1 = 1"),
        "more than there is": ("c1 < n", "c1 <= n"),
        "subscript": ("= 2 * A[c1][c0]", "= 2 * A[c1][m - 1 - c0]"),
        "constant": ("2 * A", "3 * A"),
        "operator": ("2 * A", "2 + A"),
        "iterator": ("+ c0;", "+ c1;"),
        "target": ("A[c1][c0] = 2", "A[0][c0] = 2"),
        "test": ("n >= 1 && m >= 1", "n >= 2 || m >= 1"),
        "alternative": ("2 * A[i][j] + j", "2 * A[i][j] + i"),
        "a second time": ("for (int c1 = 0", "for (int c2 = 0; c2 < 2; c2++) for (int c1 = 0"),
        "hint": ("S0(c1, c0)", "S0(c0, c1)"),
        "iterator that overflows": ("for (int c1", "for (short c1"),
        "statement": ("A[c1][c0] = 2", "if (c0 > 5) A[c1][c0] = 2"),
        "another pragma": ("for (int c1", "#pragma acc loop\n for (int c1"),
    },
)

RECURRENCE = "for (int i = 1; i < n; i++)\n  A[i] = A[i - 1] + B[i];"
ORDER = Case(
    "the same order",
    function("int n, double A[n], double B[n]", RECURRENCE),
    guarded(
        "n >= 1",
        "for (int c0 = 1; c0 < n; c0++)\n  A[c0] = A[c0 - 1] + B[c0]; // S0(c0)\n",
        RECURRENCE,
    ),
    {
        "backwards": ("c0 = 1; c0 < n; c0++", "c0 = n - 1; c0 >= 1; c0--"),
        "parallel": ("for (int c0", "#pragma omp parallel for\nfor (int c0"),
        "simd": ("for (int c0", "#pragma omp simd\nfor (int c0"),
        "parallel by a word": ("for (int c0", '_Pragma("omp parallel for")\nfor (int c0'),
        "operands": ("A[c0 - 1] + B[c0]", "B[c0] + A[c0 - 1]"),
        "other array": ("+ B[c0]", "+ A[c0]"),
    },
)

STENCIL = """for (int t = 0; t < T; t++)
  for (int i = 1; i < n - 1; i++)
    A[i] = 0.5 * (A[i - 1] + A[i + 1]);"""
SKEWED = Case(
    "skewing and tiling",
    function("int T, int n, double A[n]", STENCIL),
    guarded(
        "n >= 1 && T >= 1 && T <= 1000000 && n <= 1000000",
        """
    for (int c0 = 0; c0 < T; c0 += 8)
      for (int c1 = 0; c1 < n + T; c1 += 32)
        for (int c2 = c0; c2 < lw_min(T, c0 + 8); c2++)
          for (int c3 = lw_max(c1, c2 + 1); c3 < lw_min(c1 + 32, c2 + n - 1); c3++)
            A[c3 - c2] = 0.5 * (A[c3 - c2 - 1] + A[c3 - c2 + 1]); // S0(c2, c3 - c2)
    """,
        STENCIL,
        "min max",
    ),
    {
        "no skew": ("c3 < lw_min(c1 + 32, c2 + n - 1)", "c3 < lw_min(c1 + 31, c2 + n - 1)"),
        "too few tiles": ("c1 < n + T", "c1 < n"),
        "parallel tiles": ("for (int c1", "#pragma omp parallel for\nfor (int c1"),
        "simd": ("for (int c3", "#pragma omp simd\nfor (int c3"),
        "shift": ("A[c3 - c2 + 1]", "A[c3 - c2 + 2]"),
        "step": ("c0 += 8", "c0 += 7"),
        "helper": ("((x) < (y) ? (x) : (y))", "((x) < (y) ? (y) : (x))"),
    },
)
UNSKEWED = Case(
    "tiling without skewing",
    function("int T, int n, double A[n]", STENCIL),
    guarded(
        "n >= 1 && T <= 1000000 && n <= 1000000",
        """
    for (int c1 = 1; c1 < n - 1; c1 += 32)
      for (int c2 = 0; c2 < T; c2++)
        for (int c3 = c1; c3 < lw_min(c1 + 32, n - 1); c3++)
          A[c3] = 0.5 * (A[c3 - 1] + A[c3 + 1]); // S0(c2, c3)
    """,
        STENCIL,
        "min",
    ),
    {"as it is": ("+= 32", "+= 32")},
)

TWO_LOOPS = """for (int i = 0; i < n; i++)
  A[i] = x[i] * x[i];
for (int i = 0; i < n; i++)
  B[i] = A[i] + 1;"""
FUSED = Case(
    "fusion",
    function("int n, double x[n], double A[n], double B[n]", TWO_LOOPS),
    guarded(
        "n >= 1",
        """
    #pragma omp parallel for
    for (int c0 = 0; c0 < n; c0++) {
      A[c0] = x[c0] * x[c0]; // S0(c0)
      B[c0] = A[c0] + 1; // S1(c0)
    }""",
        TWO_LOOPS,
    ),
    {
        "too early": (
            "A[c0] = x[c0] * x[c0]; // S0(c0)\n      B[c0] = A[c0] + 1; // S1(c0)",
            "B[c0] = A[c0] + 1; // S1(c0)\n      A[c0] = x[c0] * x[c0]; // S0(c0)",
        ),
        "missing": ("B[c0] = A[c0] + 1; // S1(c0)", ""),
        "twice": (
            "B[c0] = A[c0] + 1; // S1(c0)",
            "B[c0] = A[c0] + 1; // S1(c0)\nB[c0] = A[c0] + 1; // S1(c0)",
        ),
        "both the same": ("B[c0] = A[c0] + 1; // S1(c0)", "A[c0] = x[c0] * x[c0]; // S0(c0)"),
    },
)

ONE_LOOP = """for (int i = 1; i < n; i++) {
  A[i] = x[i];
  B[i] = A[i - 1];
}"""
DISTRIBUTED = Case(
    "distribution",
    function("int n, double x[n], double A[n], double B[n]", ONE_LOOP),
    guarded(
        "n >= 1",
        """
    #pragma omp simd
    for (int c0 = 1; c0 < n; c0++)
      A[c0] = x[c0]; // S0(c0)
    #pragma omp parallel for simd schedule(static) if (n > 1000)
    for (int c0 = 1; c0 < n; c0++)
      B[c0] = A[c0 - 1]; // S1(c0)
    """,
        ONE_LOOP,
    ),
    {
        "the other way round": (
            "A[c0] = x[c0]; // S0(c0)\n"
            "    #pragma omp parallel for simd schedule(static) if (n > 1000)\n"
            "    for (int c0 = 1; c0 < n; c0++)\n      B[c0] = A[c0 - 1]; // S1(c0)",
            "B[c0] = A[c0 - 1]; // S1(c0)\n"
            "    #pragma omp simd\n"
            "    for (int c0 = 1; c0 < n; c0++)\n      A[c0] = x[c0]; // S0(c0)",
        ),
        "clause": ("schedule(static)", "ordered"),
        "collapsed": ("schedule(static)", "collapse(2)"),
        "an effect in a clause": ("if (n > 1000)", "if (n = 1000)"),
    },
)

MATVEC = """for (int i = 0; i < n; i++) {
  y[i] = 0.0;
  for (int j = 0; j < m; j++)
    y[i] += A[i][j] * x[j];
}"""
REGISTER = Case(
    "a sum in a register",
    function("int n, int m, double A[n][m], double x[m], double y[n]", MATVEC),
    guarded(
        "n >= 1 && m >= 1",
        """
    #pragma omp parallel for
    for (int c0 = 0; c0 < n; c0++) {
      double s;
      s = 0.0; // S0(c0)
      for (int c1 = 0; c1 < m; c1++)
        s += A[c0][c1] * x[c1]; // S1(c0, c1)
      y[c0] = s; // move
    }""",
        MATVEC,
    ),
    {
        "shared": (
            "#pragma omp parallel for\n    for (int c0 = 0; c0 < n; c0++) {\n      double s;",
            "double s;\n    #pragma omp parallel for\n    for (int c0 = 0; c0 < n; c0++) {",
        ),
        "initial value": ("s = 0.0;", "s = 1.0;"),
        "not initialised": ("s = 0.0; // S0(c0)", "y[c0] = 0.0; // S0(c0)"),
        "not stored": ("y[c0] = s; // move", ""),
        "stored elsewhere": ("y[c0] = s;", "y[0] = s;"),
        "stored too early": (
            "for (int c1 = 0; c1 < m; c1++)\n        s += A[c0][c1] * x[c1]; // S1(c0, c1)\n"
            "      y[c0] = s; // move",
            "y[c0] = s; // move\n      for (int c1 = 0; c1 < m; c1++)\n"
            "        s += A[c0][c1] * x[c1]; // S1(c0, c1)",
        ),
        "narrower": ("double s;", "float s;"),
        "declared in the loop": (
            "s += A[c0][c1] * x[c1]; // S1(c0, c1)",
            "{ double s; s += A[c0][c1] * x[c1]; // S1(c0, c1)\n}",
        ),
        "summed in parallel": ("for (int c1", "#pragma omp simd\nfor (int c1"),
        "reduction": ("for (int c1", "#pragma omp simd reduction(+: s)\nfor (int c1"),
    },
)

JAMMED_ROWS = """
    #pragma omp parallel for
    for (int c0 = 0; c0 < n - 1; c0 += 2) {
      double s0 = y[c0]; // move
      double s1 = y[c0 + 1]; // move
      for (int c1 = 0; c1 < m; c1++) {
        const double x0 = x[c1]; // move
        s0 += A[c0][c1] * x0; // S0(c0, c1)
        s1 += A[c0 + 1][c1] * x0; // S0(c0 + 1, c1)
      }
      y[c0] = s0; // move
      y[c0 + 1] = s1; // move
    }
    if (n % 2 == 1)
      for (int c1 = 0; c1 < m; c1++)
        y[n - 1] += A[n - 1][c1] * x[c1]; // S0(n - 1, c1)
    """
ADDED = """for (int i = 0; i < n; i++)
  for (int j = 0; j < m; j++)
    y[i] += A[i][j] * x[j];"""
JAMMED = Case(
    "unroll and jam",
    function("int n, int m, double A[n][m], double x[m], double y[n]", ADDED),
    guarded("n >= 1 && m >= 1", JAMMED_ROWS, ADDED),
    {
        "no remainder": ("if (n % 2 == 1)", "if (n % 2 == 3)"),
        "remainder twice": ("if (n % 2 == 1)", "if (n % 2 <= 1)"),
        "too far": ("c0 < n - 1", "c0 < n"),
        "registers swapped": ("y[c0] = s0;", "y[c0] = s1;"),
        "the other row": ("s1 += A[c0 + 1]", "s1 += A[c0]"),
        "same register": ("s1 += A", "s0 += A"),
        "stale": ("double s1 = y[c0 + 1];", "double s1 = y[c0];"),
        "not loaded": ("double s1 = y[c0 + 1]; // move", "double s1;"),
        "another x": ("x0 = x[c1]", "x0 = x[0]"),
        "out of bounds": ("x0 = x[c1]", "x0 = x[c1 + 1]"),
    },
)

PRODUCT = """for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      C[i][j] += A[i][k] * B[k][j];"""
PACKED = Case(
    "packing",
    function("int n, double A[n][n], double B[n][n], double C[n][n]", PRODUCT),
    guarded(
        "n >= 1 && n <= 1000000",
        """
    for (int c0 = 0; c0 < n; c0 += 16) {
      for (int c1 = 0; c1 < n; c1 += 16) {
        double tile[16][16];
        for (int c2 = c0; c2 < lw_min(n, c0 + 16); c2++)
          for (int c3 = c1; c3 < lw_min(n, c1 + 16); c3++)
            tile[c2 - c0][c3 - c1] = B[c2][c3]; // move
        #pragma omp parallel for
        for (int c2 = 0; c2 < n; c2++)
          for (int c4 = c0; c4 < lw_min(n, c0 + 16); c4++)
            #pragma omp simd
            for (int c3 = c1; c3 < lw_min(n, c1 + 16); c3++)
              C[c2][c3] += A[c2][c4] * tile[c4 - c0][c3 - c1]; // S0(c2, c3, c4)
      }
    }""",
        PRODUCT,
        "min",
    ),
    {
        "stale": (
            "tile[c2 - c0][c3 - c1] = B[c2][c3];",
            "tile[c2 - c0][c3 - c1] = B[c2 - c0][c3];",
        ),
        "transposed": ("* tile[c4 - c0][c3 - c1]", "* tile[c3 - c1][c4 - c0]"),
        "partly filled": (
            "c3 < lw_min(n, c1 + 16); c3++)\n            tile",
            "c3 < lw_min(n, c1 + 15); c3++)\n            tile",
        ),
        "too small": ("double tile[16][16]", "double tile[16][15]"),
        "float": ("double tile", "float tile"),
        "filled later": (
            "for (int c2 = c0; c2 < lw_min(n, c0 + 16); c2++)",
            "if (c1 >= 16) for (int c2 = c0; c2 < lw_min(n, c0 + 16); c2++)",
        ),
        "parallel over the sum": (
            "#pragma omp parallel for\n        for (int c2 = 0; c2 < n; c2++)\n          for",
            "for (int c2 = 0; c2 < n; c2++)\n#pragma omp parallel for\n          for",
        ),
        "parallel inside of parallel": ("for (int c4", "#pragma omp parallel for\nfor (int c4"),
        "sum in another order": (
            "c4 = c0; c4 < lw_min(n, c0 + 16); c4++",
            "c4 = lw_min(n, c0 + 16) - 1; c4 >= c0; c4--",
        ),
    },
)
SHARED_TILE = Case(
    "a tile that lives on",
    function("int n, double A[n][n], double B[n][n], double C[n][n]", PRODUCT),
    PACKED.text.replace(
        "for (int c1 = 0; c1 < n; c1 += 16) {\n        double tile[16][16];",
        "double tile[16][16];\n      for (int c1 = 0; c1 < n; c1 += 16) {",
    ).replace("#pragma omp parallel for\n", "", 1),
    {
        "stale": PACKED.wrong["filled later"],
        "shared by threads": (
            "for (int c1 = 0; c1 < n; c1 += 16) {",
            "#pragma omp parallel for\nfor (int c1 = 0; c1 < n; c1 += 16) {",
        ),
    },
)

SCALAR = """for (int i = 0; i < n; i++) {
  t = x[i] + 1.0;
  y[i] = t * t;
}"""
PRIVATE = Case(
    "a scalar of the function, private to each thread",
    "void f(int n, double *x, double *y) {\n  double t;\n#pragma scop\n"
    f"{SCALAR}\n#pragma endscop\n}}\n",
    """
    #pragma omp parallel for private(t)
    for (int c0 = 0; c0 < n; c0++) {
      t = x[c0] + 1.0; // S0(c0)
      y[c0] = t * t; // S1(c0)
    }""",
    {
        "shared": (" private(t)", ""),
        "shared, as said": ("private(t)", "shared(t)"),
        "used before": (
            "t = x[c0] + 1.0; // S0(c0)\n      y[c0] = t * t; // S1(c0)",
            "y[c0] = t * t; // S1(c0)\n      t = x[c0] + 1.0; // S0(c0)",
        ),
    },
)
EXPANDED = Case(
    "a scalar of the region, in an array",
    function("int n, double x[n], double y[n]", SCALAR.replace("  t =", "  double t =")),
    guarded(
        "n >= 1",
        """
    for (long c0 = 0; c0 < n; c0 += 64) {
      double t[64];
      #pragma omp simd
      for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)
        t[c1 - c0] = x[c1] + 1.0; // S0(c1)
      #pragma omp simd
      for (long c1 = c0; c1 < lw_min(n, c0 + 64); c1++)
        y[c1] = t[c1 - c0] * t[c1 - c0]; // S1(c1)
    }""",
        SCALAR.replace("  t =", "  double t ="),
        "min",
    ),
    {
        "another element": ("* t[c1 - c0]", "* t[0]"),
        "not expanded": ("t[c1 - c0] = x[c1]", "t[0] = x[c1]"),
        "int": ("double t[64]", "int t[64]"),
    },
)
BLOCK = Case(
    "a parallel block",
    function("int n, double x[n], double A[n], double B[n]", TWO_LOOPS),
    guarded(
        "n >= 1",
        """
    #pragma omp parallel
    {
      double a;
      #pragma omp for schedule(dynamic, 4)
      for (int c0 = 0; c0 < n; c0++) {
        a = x[c0] * x[c0]; // S0(c0)
        A[c0] = a; // move
      }
      #pragma omp for
      for (int c0 = 0; c0 < n; c0++)
        B[c0] = A[c0] + 1; // S1(c0)
    }""",
        TWO_LOOPS,
    ),
    {
        "no barrier": ("schedule(dynamic, 4)", "nowait"),
        "by every thread": ("#pragma omp for\n", "\n"),
        "no block": ("#pragma omp parallel\n", "\n"),
        "shared": (
            "#pragma omp parallel\n    {\n      double a;",
            "double a;\n    #pragma omp parallel\n    {",
        ),
    },
)

CASES = [
    INTERCHANGE,
    ORDER,
    SKEWED,
    FUSED,
    DISTRIBUTED,
    REGISTER,
    JAMMED,
    PACKED,
    SHARED_TILE,
    PRIVATE,
    EXPANDED,
    BLOCK,
]
