/* heat-3d: explicit heat equation in three dimensions, B = A + (second difference of A along each
 * axis)/8, then A from B likewise; the boundary stays. */
#include "bench.h"

#ifndef TSTEPS
#define TSTEPS BENCH_SIZE(2, 40, 60, 500)
#endif
#ifndef N
#define N BENCH_SIZE(7, 20, 40, 120)
#endif

static void init(int n, double A[n][n][n], double B[n][n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        A[i][j][k] = bench_unit('A', i * n + j, k);
        B[i][j][k] = A[i][j][k];
      }
}

__attribute__((noinline))
static void kernel_heat_3d(int tsteps, int n, double A[n][n][n], double B[n][n][n])
{
  int t, i, j, k;

#pragma scop
  for (t = 1; t <= tsteps; t++) {
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        for (k = 1; k < n - 1; k++)
          LoopB: B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k]) +
                       0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k]) +
                       0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) +
                       A[i][j][k];
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        for (k = 1; k < n - 1; k++)
          LoopA: A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k]) +
                       0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k]) +
                       0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]) +
                       B[i][j][k];
  }
#pragma endscop
}

static void dump(int n, double A[n][n][n])
{
  bench_dump("A", 'd', A, 3, n, n, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int tsteps = TSTEPS, n = N;
  double (*A)[n][n] = bench_alloc(sizeof(double[n][n][n]));
  double (*B)[n][n] = bench_alloc(sizeof(double[n][n][n]));

  while (bench_again(&bench)) {
    init(n, A, B);
    if (bench_inputs(&bench)) {
      bench_dump("in.tsteps", 'i', &tsteps, 0);
      bench_dump("in.A", 'd', A, 3, n, n, n);
      bench_dump("in.B", 'd', B, 3, n, n, n);
    }
    bench_start(&bench);
    kernel_heat_3d(tsteps, n, A, B);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, A);
  free(A);
  free(B);
  return 0;
}
