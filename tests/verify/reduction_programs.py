"""Programs whose new text computes a sum, or something like it, in parts.

These are proved only where reassociation was asked for.
"""

from __future__ import annotations

from tests.verify.programs import Case, Replacement, function, guarded


def scalar_function(type_: str, region: str) -> str:
    """A function with a scalar ``s`` of its own, which lives on after the region."""
    return (
        f"void f(int n, {type_} *x, {type_} *y, {type_} *out) {{\n  {type_} s = 2, t = 3;\n"
        f"#pragma scop\n{region}\n#pragma endscop\n  out[0] = s; out[1] = t;\n}}\n"
    )


def reduced(name: str, type_: str, update: str, clause: str, wrong: dict[str, Replacement]) -> Case:
    """A loop that does nothing but update ``s``."""
    region = f"for (int i = 0; i < n; i++)\n  {update}"
    text = f"""
    #pragma omp parallel for {clause}
    for (long c0 = 0; c0 < n; c0++)
      {update.replace("[i]", "[c0]").replace("+ i", "+ (int)c0")} // S0(c0)
    """
    return Case(name, scalar_function(type_, region), text, wrong)


SUM = reduced(
    "a sum in parts",
    "double",
    "s += x[i] * y[i];",
    "reduction(+: s)",
    {
        "no clause": (" reduction(+: s)", ""),
        "another operator": ("(+: s)", "(*: s)"),
        "the operator that takes away": ("(+: s)", "(-: s)"),
        "an operator that there is not": ("(+: s)", "(/: s)"),
        "a function of the user": ("(+: s)", "(mine: s)"),
        "another variable": ("(+: s)", "(+: t)"),
        "one variable too many": ("(+: s)", "(+: s, t)"),
        "a variable that there is not": ("(+: s)", "(+: s, u)"),
        "an array": ("(+: s)", "(+: s, out)"),
        "a parameter": ("(+: s)", "(+: s, n)"),
        "the iterator": ("(+: s)", "(+: s, c0)"),
        "twice": ("(+: s)", "(+: s) reduction(+: s)"),
        "twice in different ways": ("(+: s)", "(+: s) reduction(*: s)"),
        "private, too": ("reduction(+: s)", "reduction(+: s) private(s)"),
        "private before": ("reduction(+: s)", "private(s) reduction(+: s)"),
        "private instead": ("reduction(+: s)", "private(s)"),
        "firstprivate": ("reduction(+: s)", "firstprivate(s)"),
        "with a modifier": ("(+: s)", "(inscan, +: s)"),
        "a part of an array": ("(+: s)", "(+: s[0:1])"),
        "without an operator": ("(+: s)", "(s)"),
    },
)
TAKEN_AWAY = reduced("a difference", "double", "s -= x[i];", "reduction(-: s)", {})
TURNED = reduced("a turned difference", "double", "s = x[i] - s;", "reduction(+: s)", {})
MIXED = Case(
    "a sum and a product in one",
    scalar_function("double", "for (int i = 0; i < n; i++) {\n  s += x[i];\n  s *= y[i];\n}"),
    """
    #pragma omp parallel for reduction(+: s)
    for (long c0 = 0; c0 < n; c0++) {
      s += x[c0]; // S0(c0)
      s *= y[c0]; // S1(c0)
    }""",
    {},
)
PREFIX = Case(
    "sums that are needed on the way",
    scalar_function("double", "for (int i = 0; i < n; i++) {\n  s += x[i];\n  y[i] = s;\n}"),
    """
    #pragma omp parallel for reduction(+: s)
    for (long c0 = 0; c0 < n; c0++) {
      s += x[c0]; // S0(c0)
      y[c0] = s; // S1(c0)
    }""",
    {},
)
RESET = Case(
    "a sum that begins anew",
    scalar_function("double", "for (int i = 0; i < n; i++) {\n  s = 0;\n  s += x[i];\n}"),
    """
    #pragma omp parallel for reduction(+: s)
    for (long c0 = 0; c0 < n; c0++) {
      s = 0; // S0(c0)
      s += x[c0]; // S1(c0)
    }""",
    {},
)
SUBSCRIPT = reduced("a sum as a subscript", "int", "s += x[s];", "reduction(+: s)", {})
SQUARED = reduced("a sum of itself", "double", "s = s + s * x[i];", "reduction(+: s)", {})
ROUNDED = Case(
    "a sum of fractions in an integer",
    "void f(int n, double *x, int *out) {\n  int s = 0;\n#pragma scop\n"
    "for (int i = 0; i < n; i++)\n  s += x[i];\n#pragma endscop\n  out[0] = s;\n}\n",
    "\n#pragma omp parallel for reduction(+: s)\nfor (long c0 = 0; c0 < n; c0++)\n"
    "  s += x[c0]; // S0(c0)\n",
    {},
)
CARRIED = Case(
    "a sum, and something else that is carried",
    scalar_function("double", "for (int i = 1; i < n; i++) {\n  s += x[i];\n  y[i] = y[i - 1];\n}"),
    """
    #pragma omp parallel for reduction(+: s)
    for (long c0 = 1; c0 < n; c0++) {
      s += x[c0]; // S0(c0)
      y[c0] = y[c0 - 1]; // S1(c0)
    }""",
    {},
)
LARGEST = "s = x[i] > s ? x[i] : s;"
UNPROVABLE = [
    TAKEN_AWAY,
    TURNED,
    MIXED,
    PREFIX,
    RESET,
    SUBSCRIPT,
    SQUARED,
    ROUNDED,
    CARRIED,
    reduced("a smallest as a largest", "double", LARGEST, "reduction(min: s)", {}),
    reduced("a last one", "double", "s = x[i] > s ? s : y[i];", "reduction(min: s)", {}),
    reduced("a largest of two", "double", "s = x[i] > s ? y[i] : s;", "reduction(max: s)", {}),
    reduced("a count", "double", "s++;", "reduction(+: s)", {}),
    reduced("an and", "int", "s = s && x[i];", "reduction(&&: s)", {}),
]
"""None of them is a reduction, whatever the clause says."""

ROWS = """for (int i = 0; i < n; i++)
  for (int j = 0; j < m; j++)
    y[i] += A[i][j] * x[j];"""
ROW_SUMS = Case(
    "a sum in the lanes of a vector",
    function("int n, int m, double A[n][m], double x[m], double y[n]", ROWS),
    guarded(
        "n >= 1 && m >= 1",
        """
    #pragma omp parallel for
    for (long c0 = 0; c0 < n; c0++) {
      double s = y[c0]; // move
      #pragma omp simd reduction(+: s)
      for (long c1 = 0; c1 < m; c1++)
        s += A[c0][c1] * x[c1]; // S0(c0, c1)
      y[c0] = s; // move
    }""",
        ROWS,
    ),
    {
        "no clause": (" reduction(+: s)", ""),
        "around the variable": (
            "#pragma omp parallel for\n",
            "#pragma omp parallel for reduction(+: s)\n",
        ),
        "stored on the way": (
            "s += A[c0][c1] * x[c1]; // S0(c0, c1)\n",
            "{ s += A[c0][c1] * x[c1]; // S0(c0, c1)\ny[c0] = s; // move\n}\n",
        ),
        "another variable of that name": (
            "s += A[c0][c1] * x[c1]; // S0(c0, c1)\n",
            "{ double s = y[c0]; // move\ns += A[c0][c1] * x[c1]; // S0(c0, c1)\n"
            "y[c0] = s; // move\n}\n",
        ),
    },
)
IN_A_BLOCK = Case(
    "a sum in a parallel block",
    scalar_function("double", "for (int i = 0; i < n; i++)\n  s += x[i];"),
    """
    #pragma omp parallel
    {
      #pragma omp for simd reduction(+: s)
      for (long c0 = 0; c0 < n; c0++)
        s += x[c0]; // S0(c0)
    }""",
    {
        "private around": ("omp parallel\n", "omp parallel private(s)\n"),
        "reduced around": ("omp parallel\n", "omp parallel reduction(+: s)\n"),
        "both": (" reduction(+: s)", ""),
    },
)
REDUCTIONS = [
    SUM,
    reduced("a difference", "double", "s -= x[i];", "reduction(+: s)", {}),
    reduced("a long difference", "double", "s = s - x[i];", "reduction(+: s)", {}),
    reduced("a long sum", "double", "s = s + x[i];", "reduction(+: s)", {}),
    reduced("a sum the other way round", "float", "s = x[i] + s;", "reduction(+ : s)", {}),
    reduced("a product", "double", "s *= x[i] + i;", "schedule(static) reduction(*: s)", {}),
    reduced("a sum of integers", "int", "s += 2 * x[i] + i;", "reduction(+: s)", {}),
    reduced("bits that all have", "int", "s &= x[i];", "reduction(&: s)", {}),
    reduced("bits that any has", "unsigned", "s = s | x[i];", "reduction(|: s)", {}),
    reduced("parity", "long", "s ^= x[i];", "reduction(^: s)", {}),
    reduced("a largest", "double", LARGEST, "reduction(max: s)", {}),
    reduced("a smallest", "int", "s = s <= x[i] ? s : x[i];", "reduction(min: s)", {}),
    ROW_SUMS,
    IN_A_BLOCK,
]
