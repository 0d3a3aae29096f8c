/* mvt: a matrix and its transpose each times a vector, x1 = x1 + A*y1 and x2 = x2 + A^T*y2. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(10, 100, 300, 2000)
#endif

static void init(int n, double x1[n], double x2[n], double y1[n], double y2[n], double A[n][n])
{
  for (int i = 0; i < n; i++) {
    x1[i] = bench_unit('x', i, 1);
    x2[i] = bench_unit('x', i, 2);
    y1[i] = bench_unit('y', i, 1) - 0.25;
    y2[i] = bench_unit('y', i, 2) - 0.5;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = bench_unit('A', i, j);
}

__attribute__((noinline))
static void kernel_mvt(int n, double x1[n], double x2[n], double y1[n], double y2[n],
                       double A[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      First: x1[i] = x1[i] + A[i][j] * y1[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      Second: x2[i] = x2[i] + A[j][i] * y2[j];
#pragma endscop
}

static void dump(int n, double x1[n], double x2[n])
{
  bench_dump("x1", 'd', x1, 1, n);
  bench_dump("x2", 'd', x2, 1, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int n = N;
  double *x1 = bench_alloc(sizeof(double[n]));
  double *x2 = bench_alloc(sizeof(double[n]));
  double *y1 = bench_alloc(sizeof(double[n]));
  double *y2 = bench_alloc(sizeof(double[n]));
  double (*A)[n] = bench_alloc(sizeof(double[n][n]));

  while (bench_again(&bench)) {
    init(n, x1, x2, y1, y2, A);
    if (bench_inputs(&bench)) {
      bench_dump("in.x1", 'd', x1, 1, n);
      bench_dump("in.x2", 'd', x2, 1, n);
      bench_dump("in.y1", 'd', y1, 1, n);
      bench_dump("in.y2", 'd', y2, 1, n);
      bench_dump("in.A", 'd', A, 2, n, n);
    }
    bench_start(&bench);
    kernel_mvt(n, x1, x2, y1, y2, A);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, x1, x2);
  free(x1);
  free(x2);
  free(y1);
  free(y2);
  free(A);
  return 0;
}
