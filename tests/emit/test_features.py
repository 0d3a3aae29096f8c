"""What a region may contain, emitted, compiled without warnings, and run beside the original."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import Result, optimize
from loopwright.codegen.options import AstOptions

from .running import SANITIZED, outputs_of, written_anew

HEAD = "#include <stdio.h>\n"


def agreed(program: str, folder: Path, *, autodetect: bool = False) -> Result:
    result = written_anew(HEAD + program, autodetect=autodetect)
    better = optimize(HEAD + program, autodetect=autodetect, prove=False)
    better.require_no_mistake()
    # An array parameter of size zero is what the sanitizer complains about, but people write it.
    flags = [*SANITIZED, "-fno-sanitize=vla-bound"]
    before, after = outputs_of(HEAD + program, result.code, folder, flags)
    assert before == after, result.code
    assert before[-1] == "0"
    if any(region.text is not None for region in better.regions):
        _, in_another_order = outputs_of(HEAD + program, better.code, folder, [*flags, "-fopenmp"])
        assert before == in_another_order, better.code
    return result


def replaced(program: str, folder: Path, *, autodetect: bool = False) -> str:
    """The new program, all of whose regions were emitted anew."""
    result = agreed(program, folder, autodetect=autodetect)
    assert all(region.text is not None for region in result.regions), result.notes
    return result.code


def scop(statements: str) -> str:
    return f"#pragma scop\n{statements}\n#pragma endscop\n"


SHOW = """
static void show(const double *a, int n)
{
  for (int k = 0; k < n; k++) printf("%a ", a[k]);
  printf("\\n");
}
"""


def kernel(parameters: str, body: str, calls: str, before: str = "") -> str:
    return (
        f"{SHOW}{before}\nvoid kernel({parameters})\n{{\n{body}}}\n"
        f"int main(void)\n{{\n  double a[64];\n  for (int k = 0; k < 64; k++) a[k] = k % 7 - 3;\n"
        f"  {calls}\n  show(a, 64);\n  return 0;\n}}\n"
    )


FEATURES = {
    "types of iterators": kernel(
        "int n, double *a",
        scop("""\
  for (unsigned char i = 0; i < 40; i++)
    a[i] += (unsigned char)(i * 7) + i / 2 - (i - 20) / 2.0;
  for (unsigned i = 3; i < 40; i++)
    a[i] += (i - 5) / 4 + (i - 10 > 7);
  for (short i = 30; i >= 2; i--)
    a[i] -= sizeof(i) + i * 1000;
  for (long i = 0; i < n; i++)
    a[i] += i * 1000000 * 3000;
  for (int i = 0; i < n; i++)
    a[i] += i * 100000.0f;"""),
        "kernel(30, a); kernel(0, a); kernel(-3, a);",
    ),
    "large parameters": kernel(
        "int n, int m, double *a",
        scop("""\
  for (int i = n - 3; i < n; i++)
    a[n - i] += 1;
  for (int i = m; i <= m + 3; i++)
    a[i - m] += 2;
  for (int i = n - 1; i > n - 5; i--)
    a[n - i] *= 2;"""),
        "kernel(2147483647, -2147483647 - 1, a); kernel(5, 2147483643, a);",
    ),
    "unsigned parameters": kernel(
        "unsigned n, unsigned long m, double *a",
        scop("""\
  for (unsigned i = 0; i < n; i++)
    for (unsigned long j = i; j < m; j++)
      a[i + j] += 1;"""),
        "kernel(5, 6, a); kernel(0, 5, a); kernel(6, 0, a);",
    ),
    "sizes that the model excludes": kernel(
        "int n, int m, double a[n], double b[n][m]",
        scop("""\
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= m; j++)
      if (j < m)
        a[i] += b[i][j] * (i + n);"""),
        "double b[3][4] = {{1, 2}, {3}}; for (int n = -2; n <= 3; n++) kernel(n, 4, a, b);",
    ),
    "names": kernel(
        "int c0, double *c1, int lw_min",
        "  int max = 3;\n"
        + scop("""\
  for (int c2 = 0; c2 < c0 && c2 < lw_min; c2++) {
    double c3 = c1[c2] * max(c2);
    c1[c2] += c3 + min;
  }"""),
        "kernel(7, a, 9); kernel(7, a, 3);",
        before="#define max(x) ((x) + max)\nstatic int min = 2;",
    ),
    "locals and shadows": kernel(
        "int n, double *a, double t",
        scop("""\
  for (int i = 0; i < n; i++) {
    double u = t;
    {
      double t = a[i], v[3] = {t, u};
      v[2] += t * u;
      struct pair { double x, y; };
      a[i] = v[0] + v[1] + v[2];
    }
    double v[2][2] = {{1, 2}, {t, u}};
    char s[6] = "abc";
    a[i] += t + v[1][0] * s[i % 4];
    t = t + 1;
  }"""),
        "kernel(9, a, 0.5);",
    ),
    "structs": kernel(
        "int n, struct point *p, struct box *b, double *a",
        scop("""\
  for (int i = 0; i < n; i++) {
    struct point q = {i, {1, 2}}, r;
    r = p[i];
    p[i].at[1] = q.x + q.at[1] + r.x;
    b->low.at[i % 2] += p[i].at[1];
    b->high = p[i];
    a[i] = b->high.at[1] + (*b).low.x + b->count;
  }"""),
        "struct point p[4] = {{1, {2, 3}}};"
        "struct box b = {{0, {0}}, {0, {0}}, 5}; kernel(4, p, &b, a);",
        before="struct point { double x, at[2]; };\n"
        "struct box { struct point low, high; int count; };",
    ),
    "unions": kernel(
        "int n, union word *w, double *a",
        scop("""\
  for (int i = 0; i < n; i++) {
    w[i].f = a[i];
    a[i] += w[i].b[7];
  }"""),
        "union word w[8]; kernel(8, w, a);",
        before="union word { double f; unsigned char b[8]; };",
    ),
    "pointers to rows": kernel(
        "int n, int k, double *a, double A[n][8]",
        scop("""\
  for (int i = 1; i < n; i++) {
    double *row = A[i], *next = &A[i - 1][2], *third = a + 3;
    const double *same = row;
    for (int j = 0; j < 5; j++) {
      row[j] += next[j] + *third + (*next) * third[j];
      if (a[j] > 0) {
        int k = (int)a[j] % 3;
        row[k + 4] = k + third[k];
      }
    }
    add(row, i, same[k]);
    add(next + 1, 2, third[k]);
    add(&A[i][3], 2, A[0][k]);
  }"""),
        "double A[4][8] = {{1, 2, 3}}; kernel(4, 2, a, A); show(A[0], 32);",
        before="static void add(double *p, int k, double v) { p[k] += v; }",
    ),
    "other types of elements": kernel(
        "int n, int *x, double *a",
        scop("""\
  for (int i = 0; i < n; i++) {
    unsigned *u = (unsigned *)x;
    a[i] += u[i] / 2 + ((unsigned *)x)[i] % 7;
  }"""),
        "int x[4] = {-1, 5, -7, 9}; kernel(4, x, a);",
    ),
    "linearised": kernel(
        "int n, int m, double *a, unsigned char *picture",
        scop("""\
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int c = 0; c < 3; c++) {
        a[i * m + j] += picture[3 * (i * m + j) + c];
        picture[3 * (i * m + j) + c] += i + j * c;
      }"""),
        "unsigned char p[200] = {1, 2, 3}; kernel(5, 6, a, p); kernel(5, 6, a, p);",
    ),
    "atomic statements": kernel(
        "int n, double *a, int *x",
        "  int i, j, k;\n  (void)sizeof j, (void)sizeof k;\n"
        + scop("""\
  for (i = 0; i < n; i++) {
    double left = a[i];
    while (left > 0.5) {
      left -= 1;
      if (left < 0.7) { x[i]++; continue; }
      else if (left > 100) break;
      a[i] += left;
    }
    do { left += 0.25; } while (left < 1);
    for (j = 0, k = 9; j < x[i] % 5 && k; j++, k--)
      a[j] += k;
    for (j = 0; j < 6; j++) {
      if (a[j] > 2)
        continue;
      if ((x[j] = x[j] + 1) > 4)
        break;
      a[i] -= j, left = 1;
    }
    for (int j = 0; j < 3; j++) {
      if (a[j] * left > 3)
        continue;
      x[i] ^= j | 4;
    }
  }"""),
        'int x[20] = {3, 1, 4}; kernel(9, a, x); for (int k = 0; k < 9; k++) printf("%d ", x[k]);',
    ),
    "iterators that live on": kernel(
        "int n, double *a",
        "  int i, j, last = 0;\n"
        + scop("""\
  for (i = 0; i < n; i++)
    a[i] += 1;
  for (j = 0; j < n; j += 3)
    a[j] += 2;
  last = j;"""),
        "kernel(8, a); kernel(0, a);",
    ).replace("\n}\nint main", "\n  a[20] += i + 10 * last;\n}\nint main"),
    "operators": kernel(
        "int n, double *a, int *x",
        scop("""\
  for (int i = 0; i < n; i++) {
    x[i] = (x[i] << 2 | 1) & ~i ^ (x[i] + 1 >> 1);
    x[i] = x[i] == 3 || x[i] > i && x[i] < 40 ? -x[i] : x[i] - (i - 3) - -2;
    x[i] = !(x[i] > 2) == 1, a[i] += 1;
    a[i] = a[i] - (a[i + 1] - 2.0) * -(double)(i % 3) / (1 + (i & 3));
    x[i] += x[i]++ + 0 * (x[i + 1] = i ? i > 2 ? 1 : 2 : 3);
    a[i] = (float)a[i] / 3 - (i - (2 - n)) % 4 * 1e-3 + 'a' + 0x10u;
    --x[i];
  }""").replace("x[i]++ + 0", "i + 0"),
        'int x[12] = {5, 9, 30}; kernel(9, a, x); for (int k = 0; k < 9; k++) printf("%d ", x[k]);',
    ),
    "bounds with divisions": kernel(
        "int n, int m, double *a",
        scop("""\
  for (int i = 0; 3 * i < n + m && i < m; i++)
    for (int j = i; 2 * j <= n; j++)
      a[(i + 2 * j) % 50] += i - j;
  if (n % 3 == m % 2)
    for (int i = n; i > n - m; i -= 3)
      a[i] += 1;"""),
        "for (int n = -3; n < 9; n++) for (int m = -2; m <= n + 1; m++) kernel(n, m, a);",
    ),
    "members as sizes": kernel(
        "struct matrix *m",
        scop("""\
  for (int i = 0; i < m->rows; i++)
    for (int j = 0; j < m->columns; j++)
      m->data[i * m->columns + j] += i - j;"""),
        "struct matrix m = {4, 5, a}; kernel(&m);",
        before="struct matrix { int rows, columns; double *data; };",
    ),
    "calls": kernel(
        "int n, double *a, int *x",
        scop("""\
  for (int i = 0; i < n; i++) {
    a[i] = apply(half, a[i]) + (i ? 1 : (note(i), 2));
    swap(&a[i], a + i + 1);
    note(x[i] = i);
  }"""),
        "int x[9]; kernel(8, a, x);",
        before="""\
static double half(double v) { return v / 2; }
static double apply(double (*f)(double), double v) { return f(v); }
static void swap(double *p, double *q) { double t = *p; *p = *q; *q = t; }
static int note(int k) { printf("%d ", k); return k; }""",
    ),
}


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_runs_as_before(name: str, tmp_path: Path) -> None:
    replaced(FEATURES[name], tmp_path)


LEFT = {
    "the code after it uses last, which it declares": kernel(
        "int n, double *a",
        scop("""\
  int last = n - 1;
  for (int i = 0; i < n; i++)
    a[i] += last;"""),
        "kernel(9, a);",
    ).replace("\n}\nint main", "\n  a[20] += last;\n}\nint main"),
    "calls keeps its value between calls": kernel(
        "int n, double *a",
        scop("""\
  static int calls = 0;
  calls++;
  for (int i = 0; i < n; i++)
    a[i] += calls;"""),
        "kernel(9, a); kernel(5, a);",
    ),
    "it initialises members by name": kernel(
        "int n, double *a",
        scop("""\
  for (int i = 0; i < n; i++) {
    struct { double x, y; } p = {.y = i, .x = 1};
    a[i] += p.x - p.y;
  }"""),
        "kernel(9, a);",
    ),
    "the pointer p is declared in the region": kernel(
        "int n, double *a, int *x",
        scop("""\
  for (int i = 0; i < n; i++) {
    struct cell *p = &one;
    a[i] += p->v[x[i]];
  }"""),
        "int x[4] = {1, 0, 1, 0}; kernel(4, a, x);",
        before="struct cell { double v[2]; };\nstatic struct cell one = {{1, 2}};",
    ),
}


@pytest.mark.parametrize("reason", LEFT)
def test_what_cannot_be_written_anew_is_left(reason: str, tmp_path: Path) -> None:
    result = agreed(LEFT[reason], tmp_path)
    assert result.code == HEAD + LEFT[reason]
    (region,) = result.regions
    assert region.note is not None
    assert region.note.code == "LW601"
    assert reason in region.note.message


DETECTED = kernel(
    "int n, double *a",
    """\
  int times = 3;
  while (times-- > 0)
    for (int i = 0; i < n; i++) {
      a[i] += 1;
      if (i < 2) a[i] += a[i + 2];
    }
  if (a[3] > 1) for (int i = 0; i < n; i++) { if (i > 5) a[i] = 2; } else a[0] = 7;
  for (int i = 0; i < n; i++) a[i] *= 3; a[1] = 4;
""",
    "kernel(9, a); kernel(2, a);",
).replace("kernel(9", "kernel(12")


def test_detected_regions_stay_one_statement(tmp_path: Path) -> None:
    program = DETECTED.replace("#pragma", "//")
    flags = ["-Wno-misleading-indentation"]
    result = written_anew(HEAD + program, autodetect=True, function="kernel")
    before, after = outputs_of(HEAD + program, result.code, tmp_path, flags)
    assert before == after, result.code
    assert len(result.regions) >= 3
    assert all(region.text is not None for region in result.regions)


def test_no_test_of_what_the_user_promises() -> None:
    program = """void f(int n, double a[n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = 1;
#pragma endscop
}
"""
    assert "if (n >= 1)" in written_anew(program).code
    assert "if" not in written_anew(program, context="[n] -> { : n >= 1 }").code
    assert "if (n >= 1)" in written_anew(program, assume_non_negative=True).code


def test_iterators_are_as_wide_as_they_must_be() -> None:
    program = """void f(TYPE n, double *a) {
#pragma scop
for (TYPE i = 0; i CONDITION; i++)
  a[i] = i;
#pragma endscop
}
"""

    def code(type_: str, condition: str) -> str:
        return written_anew(program.replace("TYPE", type_).replace("CONDITION", condition)).code

    assert "for (int c0 = 0; c0 < n; c0++)\n  a[c0] = c0;" in code("int", "< n")
    assert "for (long c0 = 0; c0 <= n; c0++)\n  a[c0] = (int)c0;" in code("int", "<= n")
    assert "a[c0] = (unsigned char)c0;" in code("unsigned char", "< n")
    assert "if (n <= 9223372036854775807)" in code("unsigned long", "< n")
    assert "if (n >= -281474976710656 && n <= 281474976710656)" in code("long", "<= n")


def test_what_is_too_complex_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    program = HEAD + FEATURES["bounds with divisions"]
    monkeypatch.setattr(AstOptions, "__post_init__", lambda self: few_operations(self))
    result = written_anew(program)
    assert result.code == program
    assert "ran out of operations" in str(result.notes[-1])


def few_operations(options: AstOptions) -> None:
    object.__setattr__(options, "max_operations", 10)
