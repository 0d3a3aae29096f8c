/* jacobi-2d: Jacobi relaxation in two dimensions, B[i][j] = (A[i][j] + its four neighbours)/5, then
 * A from B likewise; the boundary stays. */
#include "bench.h"

#ifndef TSTEPS
#define TSTEPS BENCH_SIZE(3, 40, 100, 500)
#endif
#ifndef N
#define N BENCH_SIZE(9, 90, 250, 1300)
#endif

static void init(int n, double A[n][n], double B[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] = bench_unit('A', i, j);
      B[i][j] = bench_unit('B', i, j);
    }
}

__attribute__((noinline))
static void kernel_jacobi_2d(int tsteps, int n, double A[n][n], double B[n][n])
{
  int t, i, j;

#pragma scop
  for (t = 0; t < tsteps; t++) {
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        LoopB: B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        LoopA: A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
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
  int tsteps = TSTEPS, n = N;
  double (*A)[n] = bench_alloc(sizeof(double[n][n]));
  double (*B)[n] = bench_alloc(sizeof(double[n][n]));

  while (bench_again(&bench)) {
    init(n, A, B);
    if (bench_inputs(&bench)) {
      bench_dump("in.tsteps", 'i', &tsteps, 0);
      bench_dump("in.A", 'd', A, 2, n, n);
      bench_dump("in.B", 'd', B, 2, n, n);
    }
    bench_start(&bench);
    kernel_jacobi_2d(tsteps, n, A, B);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, A);
  free(A);
  free(B);
  return 0;
}
