/* lu: LU factorisation in place without pivoting, A = L*U with unit diagonal in L. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(10, 100, 300, 2000)
#endif

static void init(int n, double A[n][n])
{
  /* Diagonally dominant, so that no pivoting is needed. */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = bench_unit('A', i, j) - 0.25 + (i == j ? n : 0);
}

__attribute__((noinline))
static void kernel_lu(int n, double A[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        Left: A[i][j] -= A[i][k] * A[k][j];
      Norm: A[i][j] /= A[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++)
        Right: A[i][j] -= A[i][k] * A[k][j];
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
    kernel_lu(n, A);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, A);
  free(A);
  return 0;
}
