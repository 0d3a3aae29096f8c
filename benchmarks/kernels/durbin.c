/* durbin: Levinson-Durbin recursion for the Yule-Walker equations T*y = -r, where T is the
 * symmetric Toeplitz matrix with T[i][i] = 1 and T[i][j] = r[|i-j|-1]. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(10, 100, 300, 2000)
#endif

static void init(int n, double r[n])
{
  /* The r[i] sum up to less than 1/2, so T is diagonally dominant. */
  for (int i = 0; i < n; i++)
    r[i] = 0.3 * (bench_unit('r', i, 0) - 0.25) / ((i + 1.0) * (i + 1.0));
}

__attribute__((noinline))
static void kernel_durbin(int n, double r[n], double y[n])
{
  int i, k;
  double z[n];
  double alpha, beta, sum;

#pragma scop
  y[0] = -r[0];
  beta = 1.0;
  alpha = -r[0];
  for (k = 1; k < n; k++) {
    beta = (1.0 - alpha * alpha) * beta;
    sum = 0.0;
    for (i = 0; i < k; i++)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (i = 0; i < k; i++)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (i = 0; i < k; i++)
      y[i] = z[i];
    y[k] = alpha;
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
  double *r = bench_alloc(sizeof(double[n]));
  double *y = bench_alloc(sizeof(double[n]));

  while (bench_again(&bench)) {
    init(n, r);
    if (bench_inputs(&bench))
      bench_dump("in.r", 'd', r, 1, n);
    bench_start(&bench);
    kernel_durbin(n, r, y);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, y);
  free(r);
  free(y);
  return 0;
}
