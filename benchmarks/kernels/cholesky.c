/* cholesky: Cholesky factorisation in place, A = L*L^T; L goes into the lower triangle of the
 * symmetric positive definite A, the part above the diagonal stays. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(10, 100, 300, 2000)
#endif

static void init(int n, double A[n][n])
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      A[i][j] = bench_unit('A', i, j);
      A[j][i] = A[i][j];
    }
    A[i][i] = n + bench_unit('A', i, i);
  }
}

__attribute__((noinline))
static void kernel_cholesky(int n, double A[n][n])
{
  int i, j, k;

#pragma scop
  for (i = 0; i < n; i++) {
    for (j = 0; j < i; j++) {
      for (k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
#pragma endscop
}

static void dump(int n, double A[n][n])
{
  bench_dump("A", 'd', A, 2, n, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int n = N;
  double (*A)[n] = bench_alloc(sizeof(double[n][n]));

  while (bench_again(&bench)) {
    init(n, A);
    if (bench_inputs(&bench))
      bench_dump("in.A", 'd', A, 2, n, n);
    bench_start(&bench);
    kernel_cholesky(n, A);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, A);
  free(A);
  return 0;
}
