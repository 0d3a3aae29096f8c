"""Flat arrays are written row by row in ``long``, and run as before, whatever the sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import optimize

from .running import SANITIZED, outputs_of

HEAD = """\
#include <stddef.h>
#include <stdio.h>
typedef struct { int n; double *data; } grid;
#define AT(m, i, j) m[(i) * n + (j)]
"""
PRODUCT = """\
#pragma scop
  for (T i = 0; i < N; i++)
    for (T j = 0; j < N; j++)
      for (T k = 0; k < N; k++)
        BODY
#pragma endscop
"""
FLAT = "double *restrict C, const double *restrict A, const double *restrict B"
SQUARE = "double C[restrict n][n], double A[restrict n][n], double B[restrict n][n]"
STYLES = {
    "int": ("int", f"int n, {FLAT}", "n", "C[i*n+j] += A[i*n+k] * B[k*n+j];"),
    "long": ("long", f"long n, {FLAT}", "n", "C[i*n+j] += A[i*n+k] * B[k*n+j];"),
    "size_t": ("size_t", f"size_t n, {FLAT}", "n", "C[i*n+j] += A[i*n+k] * B[k*n+j];"),
    "unsigned": ("unsigned", f"unsigned n, {FLAT}", "n", "C[i*n+j] += A[i*n+k] * B[k*n+j];"),
    "macro": ("int", f"int n, {FLAT}", "n", "AT(C, i, j) += AT(A, i, k) * AT(B, k, j);"),
    "struct": (
        "int",
        "grid *C, grid *A, grid *B",
        "C->n",
        "C->data[i*C->n+j] += A->data[i*C->n+k] * B->data[k*C->n+j];",
    ),
    "rows": ("int", f"int n, {FLAT}", "n", "(C + i*n)[j] += *(A + i*n + k) * (B + k*n)[j];"),
    "address": (
        "int",
        f"int n, {SQUARE}",
        "n",
        "(&C[0][0])[i*n+j] += (&A[0][0])[i*n+k] * (&B[0][0])[k*n+j];",
    ),
}


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_elements_are_kept_in_scalars(style: tuple[str, str, str, str]) -> None:
    type_, parameters, size, body = style
    region = PRODUCT.replace("T ", f"{type_} ").replace("N", size).replace("BODY", body)
    result = optimize(f"{HEAD}void f({parameters})\n{{\n{region}}}\n")
    (region_result,) = result.regions
    assert region_result.text is not None
    lines = [each.strip() for each in region_result.text.lines]
    assert any(each.startswith("const double A") for each in lines)
    assert not any("(int)" in each or "(unsigned" in each for each in lines if "[" in each)


STEP = """\
  for (T i = 1; i < m; i++)
    for (T j = 0; j < w; j++)
      for (T k = 0; k < w; k++)
        A[i*ld+j] += A[(i-1)*ld+k] * B[k*ld+j];
"""
LU = """\
  for (T i = 0; i < w; i++)
    A[i*ld+i] += 100;
  for (T k = 0; k < w; k++) {
    for (T i = k + 1; i < w; i++)
      A[i*ld+k] /= A[k*ld+k];
    for (T i = k + 1; i < w; i++)
      for (T j = k + 1; j < w; j++)
        A[i*ld+j] -= A[i*ld+k] * A[k*ld+j];
  }
"""
WRAPPING = (
    STEP.replace("i++", "i += 2")
    .replace("i = 1", "i = 2")
    .replace("(i-1)", "(i-2)")
    .replace("B[k*ld+j]", "B[k+j]")
)
MAIN = """
static double x[4096], y[4096];
int main(void)
{
  static const long cases[][3] = {CASES};
  for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) {
    for (int k = 0; k < 4096; k++) { x[k] = k % 7 - 3; y[k] = (k % 5 - 2) / 16.0; }
    f(x + 2048, y + 2048, cases[c][0], cases[c][1], cases[c][2]);
    double sum = 0;
    for (int k = 0; k < 4096; k++) sum = sum * 1.000001 + x[k];
    printf("%.17g\\n", sum);
  }
  return 0;
}
"""
USUAL = "{13, 17, 17}, {13, 17, 40}, {13, 17, 9}, {20, 17, 1}, {9, 9, 0}, {0, 3, 4}"
BACKWARDS = f"{USUAL}, {{13, 17, -17}}, {{13, 17, -3}}, {{9, 9, -20}}"
CASES = {
    "int": ("int", STEP, BACKWARDS),
    "long": ("long", STEP, BACKWARDS),
    "signed char": ("signed char", STEP, BACKWARDS),
    "short": ("short", LU, BACKWARDS),
    "unsigned": ("unsigned", STEP, USUAL),
    "size_t": ("size_t", STEP, USUAL),
    "rows of 2^31 elements that wrap": ("unsigned", WRAPPING, "{8, 9, 2147483648}, {13, 17, 20}"),
    "rows of 2^63 elements that wrap": (
        "size_t",
        WRAPPING,
        "{8, 9, -9223372036854775807 - 1}, {13, 17, 20}",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_rows_of_any_size_run_as_before(case: tuple[str, str, str], tmp_path: Path) -> None:
    type_, body, sizes = case
    body = body.replace("T ", f"{type_} ")
    kernel = f"void f(double *A, double *B, {type_} m, {type_} w, {type_} ld)\n{{\n"
    program = f"{HEAD}{kernel}#pragma scop\n{body}#pragma endscop\n}}\n" + MAIN.replace(
        "CASES", sizes
    )
    result = optimize(program)
    assert all(region.text is not None for region in result.regions), result.notes
    flags = [*SANITIZED, "-fno-sanitize=pointer-overflow", "-fopenmp"]
    before, after = outputs_of(program, result.code, tmp_path, flags)
    assert before == after, result.code
    assert before[-1] == "0"


PIXELS = """\
typedef struct { int w, h; struct { float r, g; } *at; } image;
void blend(image *restrict o, const image *restrict a, const image *restrict b, float t)
{
#pragma scop
  for (int s = 0; s < 20; s++)
    for (int y = 1; y < o->h - 1; y++)
      for (int x = 1; x < o->w - 1; x++)
        o->at[y * o->w + x].r += t * a->at[y * o->w + x].r + b->at[(y - 1) * o->w + x].g;
#pragma endscop
}
"""


def test_flat_arrays_of_structs_are_arrays() -> None:
    result = optimize(PIXELS)
    assert all(result.proof)
    assert "if (o) {" in result.code
    assert "const float a_0 = a->at[c2 * o->w + c4].r;" in result.code
