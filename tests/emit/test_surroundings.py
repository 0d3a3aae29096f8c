"""A region and what stands around it: names from elsewhere, macros, pointers, jumps, comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import Result, optimize

from .running import STANDARD, outputs_of, written_anew
from .test_features import agreed, kernel, replaced, scop


def compiled(program: str, folder: Path, flags: list[str], **options: object) -> Result:
    result = written_anew(program, **options)  # type: ignore[arg-type]
    before, after = outputs_of(program, result.code, folder, flags)
    assert before == after, result.code
    assert all(region.text is not None for region in result.regions), result.notes
    return result


SUM = """\
#include <stdio.h>
#include "names.h"
double a[9];
int main(void) {
  int n = 9, m = 7;
#pragma scop
  for (int i = 0; i < n && i < m; i++)
    ADD(a[i]);
#pragma endscop
  for (int k = 0; k < 9; k++) printf("%g ", a[k]);
  return 0;
}
"""


def test_names_from_headers_and_options_are_taken(tmp_path: Path) -> None:
    (tmp_path / "names.h").write_text(
        "static double c0 = 2.5;\n#define c1 (1 +)\n#define lw_min(a, b) 77\n"
        "#define ADD(x) x += c0\n"
    )
    flags = [f"-I{tmp_path}", "-Dc2=+"]
    result = compiled(SUM, tmp_path, flags, include=[str(tmp_path)], define=["c2=+"])
    assert "for (int c3 = 0; c3 < " in result.code
    assert "lw_min_1(" in result.code


def test_names_that_macros_put_together_are_taken(tmp_path: Path) -> None:
    program = SUM.replace('#include "names.h"', "#define C(k) c##k\n#define ADD(x) x += C(0)")
    program = program.replace("int n = 9", "double C(0) = 2.5; int n = 9")
    assert "for (int c1 = 0;" in compiled(program, tmp_path, []).code


AROUND = {
    "a local called like a function": kernel(
        "int n, double *a",
        scop("""\
  for (int i = 0; i < n; i++) { double half = a[i] + 1; a[i] = half; }
  for (int i = 0; i < n; i++) a[i] = half(a[i]);"""),
        "kernel(9, a);",
        before="static double half(double v) { return v / 2; }",
    ),
    "a local called like a pointer to parameters": kernel(
        "struct m *m, double *a",
        scop("  for (int i = 0; i < m->n; i++) { double m = a[i] + 1; a[i] = m * m; }"),
        "struct m m = {9}; kernel(&m, a);",
        before="struct m { int n; };",
    ),
    "members through macros": kernel(
        "struct m *m, int n, double *a",
        scop("""\
  for (int i = 0; i < m->rows; i++)
    for (int j = 0; j < m->cols; j++)
      AT(m, i, j) += TWICE(m);
  if (n > 3)
    for (int i = 0; i < n; i++) a[i] += ID(m->rows) + TWICE(m) * 3;"""),
        "struct m m = {3, 4, a + 20}; kernel(&m, 9, a);",
        before="struct m { int rows, cols; double *data; };\n#define ID(x) x\n"
        "#define AT(m, i, j) ((m)->data[(i) * (m)->cols + (j)])\n"
        "#define TWICE(m) (2 * m->rows + 1)",
    ),
    "a pointer that may be null": kernel(
        "struct m *m, int k, double *a",
        scop("""\
  if (k > 0) { if (m->n > 2) for (int i = 0; i < k; i++) a[i] += 2; else a[0]++; }"""),
        "struct m m = {9}; kernel(&m, 5, a); kernel(0, 0, a);",
        before="struct m { int n; };",
    ),
    "an array of any size that is not declared": kernel(
        "int n, double *a",
        scop("""\
  if (n < 10) { double t[n][n]; for (int j = 0; j < n; j++) t[j][0] = a[j];
    for (int j = 0; j < n; j++) a[j] += t[j][0]; }
  a[3] += 1;"""),
        "kernel(7, a); kernel(40000, a);",
    ),
    "real and imaginary parts": kernel(
        "int n, double _Complex *z, double *a",
        scop("  for (int i = 0; i < n; i++) a[i] += __real__ z[i] - __imag__ z[i];"),
        "double _Complex z[3] = {1, 2, 3}; kernel(3, z, a);",
    ),
    "strings from macros": kernel(
        "int n, double *a",
        scop("  for (int i = 0; i < n; i++) LOG(a[i] * 2);"),
        "kernel(5, a);",
        before='#define LOG(x) printf("%g %s\\n", x, #x)',
    ),
    "a comment, and another one in front of a semicolon": kernel(
        "int n, double *a",
        scop("  for (int i = 0; i < n; i++) { a[i] += i; } /* one */") + "  a[3] = 7 /* two */;\n",
        "kernel(5, a);",
    ),
}


@pytest.mark.parametrize("name", AROUND)
def test_what_stands_around_a_region(name: str, tmp_path: Path) -> None:
    replaced(AROUND[name], tmp_path)


@pytest.mark.parametrize("last", ["INC(a[2]);", "ID(a[2] += 1;)", "a[2] += ID(1);", "{}INC(a[2]);"])
def test_a_region_that_ends_in_the_argument_of_a_macro(last: str, tmp_path: Path) -> None:
    body = scop(f"  for (int i = 0; i < n; i++) a[i] += 1;\n  {last}")
    before = "#define INC(x) ++x\n#define ID(x) x"
    code = replaced(kernel("int n, double *a", body, "kernel(5, a);", before), tmp_path)
    assert last not in code


LEFT = {
    "it declares a type": "struct { double x; } p; p.x = a[i]; a[i] = p.x + 1;",
    "it declares a type ": "typedef struct { double x; int y; } T; T p; p.x = a[i]; a[i] = p.x;",
    "it declares something with attributes": "_Alignas(32) double t[4]; t[0] = i; a[i] = t[0];",
    "the name half stands for several variables": (
        "{ double half = a[i] + 1; a[i] = half; } a[i] = apply(half, a[i]);"
    ),
    "a constant comes from a macro": "a[i] = a[i] * PI;",
}


@pytest.mark.parametrize("reason", LEFT)
def test_what_the_model_does_not_tell_is_left(reason: str, tmp_path: Path) -> None:
    program = kernel(
        "int n, double *a",
        scop(f"  for (int i = 0; i < n; i++) {{ {LEFT[reason]} }}"),
        "kernel(5, a); a[0] = half(a[0]) + apply(half, a[1]);",
        before="#define PI 3.14159265358979323846264338327950288L\n"
        "static double half(double v) { return v / 2; }\n"
        "static double apply(double (*f)(double), double v) { return f(v); }",
    )
    (region,) = agreed(program, tmp_path).regions
    assert region.note is not None
    assert reason.strip() in region.note.message


@pytest.mark.parametrize("jump", ["goto again;", "{ void *p = &&again; goto *p; }"])
def test_a_label_that_others_jump_to_stays(jump: str) -> None:
    program = f"""void f(int n, int *a) {{
#pragma scop
again: for (int i = 0; i < n; i++) a[i] += 2;
#pragma endscop
  if (a[0] < 10) {jump}
}}
"""
    result = written_anew(program)
    assert result.code == program
    assert "the code around it jumps to again" in str(result.notes[-1])


def test_what_comments_say_is_no_reason(tmp_path: Path) -> None:
    remark = "/* goto again: __attribute__ typedef int T;\n#if 0\n*/ // ;"
    body = scop(f"  for (int i = 0; i < n; i++) a[i] += 1; {remark}\n  a[0] = 1;")
    replaced(kernel("int n, double *a", body, "kernel(5, a);"), tmp_path)


def test_old_c_declares_its_iterators_first(tmp_path: Path) -> None:
    program = """\
extern int printf(const char *, ...);
int main(void) {
  int a[9] = {0}, i, j, n = 7, m = 5;
#pragma scop
All: for (i = 0; i < n && i < m; i++) {
    double t;
  One: for (j = i; j < n; j++) a[i] += j;
    t = a[i];
    a[i] = t / 3;
  }
#pragma endscop
  for (i = 0; i < 9; i++) printf("%d ", a[i]);
  return 0;
}
"""
    flags = ["-std=c89", "-Wdeclaration-after-statement"]
    assert flags[0] not in STANDARD
    result = compiled(program, tmp_path, flags, standard="c89")
    assert "int c0, c1;" in result.code
    assert "/* One */" in result.code


def test_threads_have_their_own_iterators_in_c89() -> None:
    program = (
        "void f(int n, double a[100][100], double b[100][100])\n{\n  int i, j;\n#pragma scop\n"
        "  for (i = 0; i < n; i++)\n    for (j = 0; j < n; j++)\n      a[j][i] = b[i][j] + 1;\n"
        "#pragma endscop\n}\n"
    )
    # Its iterators are declared in front of all loops; without the clause there would be no proof.
    result = optimize(program, standard="c89")
    assert "long c0, c1" in result.code or "int c0, c1" in result.code
    (pragma,) = (each for each in result.code.splitlines() if "omp parallel" in each)
    assert "private(c1" in pragma
    assert "private" not in optimize(program).code
