/* seidel-2d: Gauss-Seidel relaxation in place, A[i][j] = (sum of the 3 by 3 block around it)/9; the
 * boundary stays. */
#include "bench.h"

#ifndef TSTEPS
#define TSTEPS BENCH_SIZE(3, 40, 100, 500)
#endif
#ifndef N
#define N BENCH_SIZE(9, 100, 300, 2000)
#endif

static void init(int n, double A[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = bench_unit('A', i, j);
}

__attribute__((noinline))
static void kernel_seidel_2d(int tsteps, int n, double A[n][n])
{
#pragma scop
  for (int t = 0; t < tsteps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        Loop: A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] +
                   A[i][j - 1] + A[i][j] + A[i][j + 1] +
                   A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
#pragma endscop
}

static void dump(int n, double A[n][n])
{
  bench_dump("A", 'd', A, 2, n, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int tsteps = TSTEPS, n = N;
  double (*A)[n] = bench_alloc(sizeof(double[n][n]));

  while (bench_again(&bench)) {
    init(n, A);
    if (bench_inputs(&bench)) {
      bench_dump("in.tsteps", 'i', &tsteps, 0);
      bench_dump("in.A", 'd', A, 2, n, n);
    }
    bench_start(&bench);
    kernel_seidel_2d(tsteps, n, A);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, A);
  free(A);
  return 0;
}
