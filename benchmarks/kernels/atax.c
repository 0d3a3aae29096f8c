/* atax: a matrix and its transpose times a vector, y = A^T * (A*x). */
#include "bench.h"

#ifndef M
#define M BENCH_SIZE(8, 70, 220, 1900)
#endif
#ifndef N
#define N BENCH_SIZE(10, 90, 260, 2100)
#endif

static void init(int m, int n, double A[m][n], double x[n])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = bench_unit('A', i, j);
  for (int i = 0; i < n; i++)
    x[i] = bench_unit('x', i, 0) - 0.25;
}

__attribute__((noinline))
static void kernel_atax(int m, int n, double A[m][n], double x[n], double y[n], double tmp[m])
{
  int i, j;

#pragma scop
  for (i = 0; i < n; i++)
    y[i] = 0.0;
  for (i = 0; i < m; i++) {
    tmp[i] = 0.0;
    for (j = 0; j < n; j++)
      tmp[i] = tmp[i] + A[i][j] * x[j];
    for (j = 0; j < n; j++)
      y[j] = y[j] + A[i][j] * tmp[i];
  }
#pragma endscop
}

static void dump(int n, double y[n])
{
  bench_dump("y", 'd', y, 1, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int m = M, n = N;
  double (*A)[n] = bench_alloc(sizeof(double[m][n]));
  double *x = bench_alloc(sizeof(double[n]));
  double *y = bench_alloc(sizeof(double[n]));
  double *tmp = bench_alloc(sizeof(double[m]));

  while (bench_again(&bench)) {
    init(m, n, A, x);
    if (bench_inputs(&bench)) {
      bench_dump("in.A", 'd', A, 2, m, n);
      bench_dump("in.x", 'd', x, 1, n);
    }
    bench_start(&bench);
    kernel_atax(m, n, A, x, y, tmp);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, y);
  free(A);
  free(x);
  free(y);
  free(tmp);
  return 0;
}
