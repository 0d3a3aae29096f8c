/* gemver: vector products with a rank-2 update: A = A + u1*v1^T + u2*v2^T, x = x + beta*A^T*y + z,
 * w = w + alpha*A*x. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(10, 100, 300, 2000)
#endif

static void init(int n, double A[n][n], double u1[n], double v1[n], double u2[n], double v2[n],
                 double w[n], double x[n], double y[n], double z[n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = bench_unit('A', i, j);
  for (int i = 0; i < n; i++) {
    u1[i] = bench_unit('u', i, 1);
    v1[i] = bench_unit('v', i, 1) - 0.25;
    u2[i] = bench_unit('u', i, 2) - 0.5;
    v2[i] = bench_unit('v', i, 2);
    w[i] = 0.0;
    x[i] = 0.0;
    y[i] = bench_unit('y', i, 0) - 0.25;
    z[i] = bench_unit('z', i, 0);
  }
}

__attribute__((noinline))
static void kernel_gemver(int n, double alpha, double beta, double A[n][n], double u1[n],
                          double v1[n], double u2[n], double v2[n], double w[n], double x[n],
                          double y[n], double z[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      Second: x[i] = x[i] + beta * A[j][i] * y[j];
  for (int i = 0; i < n; i++)
    x[i] = x[i] + z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i] = w[i] + alpha * A[i][j] * x[j];
#pragma endscop
}

static void dump(int n, double A[n][n], double x[n], double w[n])
{
  bench_dump("A", 'd', A, 2, n, n);
  bench_dump("x", 'd', x, 1, n);
  bench_dump("w", 'd', w, 1, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int n = N;
  double alpha = 1.5, beta = 1.2;
  double (*A)[n] = bench_alloc(sizeof(double[n][n]));
  double *u1 = bench_alloc(sizeof(double[n]));
  double *v1 = bench_alloc(sizeof(double[n]));
  double *u2 = bench_alloc(sizeof(double[n]));
  double *v2 = bench_alloc(sizeof(double[n]));
  double *w = bench_alloc(sizeof(double[n]));
  double *x = bench_alloc(sizeof(double[n]));
  double *y = bench_alloc(sizeof(double[n]));
  double *z = bench_alloc(sizeof(double[n]));

  while (bench_again(&bench)) {
    init(n, A, u1, v1, u2, v2, w, x, y, z);
    if (bench_inputs(&bench)) {
      bench_dump("in.alpha", 'd', &alpha, 0);
      bench_dump("in.beta", 'd', &beta, 0);
      bench_dump("in.A", 'd', A, 2, n, n);
      bench_dump("in.u1", 'd', u1, 1, n);
      bench_dump("in.v1", 'd', v1, 1, n);
      bench_dump("in.u2", 'd', u2, 1, n);
      bench_dump("in.v2", 'd', v2, 1, n);
      bench_dump("in.w", 'd', w, 1, n);
      bench_dump("in.x", 'd', x, 1, n);
      bench_dump("in.y", 'd', y, 1, n);
      bench_dump("in.z", 'd', z, 1, n);
    }
    bench_start(&bench);
    kernel_gemver(n, alpha, beta, A, u1, v1, u2, v2, w, x, y, z);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, A, x, w);
  free(A);
  free(u1);
  free(v1);
  free(u2);
  free(v2);
  free(w);
  free(x);
  free(y);
  free(z);
  return 0;
}
