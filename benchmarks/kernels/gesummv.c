/* gesummv: sum of two matrix-vector products, y = alpha*A*x + beta*B*x. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(10, 100, 300, 1300)
#endif

static void init(int n, double A[n][n], double B[n][n], double x[n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = bench_unit('A', i, j);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] = bench_unit('B', i, j) - 0.25;
  for (int i = 0; i < n; i++)
    x[i] = bench_unit('x', i, 0);
}

__attribute__((noinline))
static void kernel_gesummv(int n, double alpha, double beta, double A[n][n], double B[n][n],
                           double tmp[n], double x[n], double y[n])
{
  int i, j;

#pragma scop
  for (i = 0; i < n; i++) {
    tmp[i] = 0.0;
    y[i] = 0.0;
    for (j = 0; j < n; j++) {
      tmp[i] = A[i][j] * x[j] + tmp[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
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
  int n = N;
  double alpha = 1.5, beta = 1.2;
  double (*A)[n] = bench_alloc(sizeof(double[n][n]));
  double (*B)[n] = bench_alloc(sizeof(double[n][n]));
  double *tmp = bench_alloc(sizeof(double[n]));
  double *x = bench_alloc(sizeof(double[n]));
  double *y = bench_alloc(sizeof(double[n]));

  while (bench_again(&bench)) {
    init(n, A, B, x);
    if (bench_inputs(&bench)) {
      bench_dump("in.alpha", 'd', &alpha, 0);
      bench_dump("in.beta", 'd', &beta, 0);
      bench_dump("in.A", 'd', A, 2, n, n);
      bench_dump("in.B", 'd', B, 2, n, n);
      bench_dump("in.x", 'd', x, 1, n);
    }
    bench_start(&bench);
    kernel_gesummv(n, alpha, beta, A, B, tmp, x, y);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, y);
  free(A);
  free(B);
  free(tmp);
  free(x);
  free(y);
  return 0;
}
