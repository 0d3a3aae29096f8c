/* ludcmp: solves A*x = b by LU factorisation in place (A = L*U), forward substitution L*y = b and
 * back substitution U*x = y. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(10, 100, 300, 2000)
#endif

static void init(int n, double A[n][n], double b[n])
{
  /* Diagonally dominant, so that no pivoting is needed. */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = bench_unit('A', i, j) - 0.25 + (i == j ? n : 0);
  for (int i = 0; i < n; i++)
    b[i] = bench_unit('b', i, 0);
}

__attribute__((noinline))
static void kernel_ludcmp(int n, double A[n][n], double b[n], double x[n], double y[n])
{
  int i, j, k;
  double w;

#pragma scop
  for (i = 0; i < n; i++) {
    for (j = 0; j < i; j++) {
      w = A[i][j];
      for (k = 0; k < j; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (j = i; j < n; j++) {
      w = A[i][j];
      for (k = 0; k < i; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
  for (i = 0; i < n; i++) {
    w = b[i];
    for (j = 0; j < i; j++)
      w -= A[i][j] * y[j];
    y[i] = w;
  }
  for (i = n - 1; i >= 0; i--) {
    w = y[i];
    for (j = i + 1; j < n; j++)
      w -= A[i][j] * x[j];
    x[i] = w / A[i][i];
  }
#pragma endscop
}

static void dump(int n, double A[n][n], double x[n])
{
  bench_dump("A", 'd', A, 2, n, n);
  bench_dump("x", 'd', x, 1, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int n = N;
  double (*A)[n] = bench_alloc(sizeof(double[n][n]));
  double *b = bench_alloc(sizeof(double[n]));
  double *x = bench_alloc(sizeof(double[n]));
  double *y = bench_alloc(sizeof(double[n]));

  while (bench_again(&bench)) {
    init(n, A, b);
    if (bench_inputs(&bench)) {
      bench_dump("in.A", 'd', A, 2, n, n);
      bench_dump("in.b", 'd', b, 1, n);
    }
    bench_start(&bench);
    kernel_ludcmp(n, A, b, x, y);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, A, x);
  free(A);
  free(b);
  free(x);
  free(y);
  return 0;
}
