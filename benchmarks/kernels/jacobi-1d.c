/* jacobi-1d: Jacobi relaxation in one dimension, B[i] = 0.33333*(A[i-1] + A[i] + A[i+1]), then A
 * from B likewise; the ends stay. */
#include "bench.h"

#ifndef TSTEPS
#define TSTEPS BENCH_SIZE(4, 40, 100, 500)
#endif
#ifndef N
#define N BENCH_SIZE(12, 120, 400, 2000)
#endif

static void init(int n, double A[n], double B[n])
{
  for (int i = 0; i < n; i++) {
    A[i] = bench_unit('A', i, 0);
    B[i] = bench_unit('B', i, 0);
  }
}

__attribute__((noinline))
static void kernel_jacobi_1d(int tsteps, int n, double A[n], double B[n])
{
#pragma scop
  for (int t = 0; t < tsteps; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
#pragma endscop
}

static void dump(int n, double A[n])
{
  bench_dump("A", 'd', A, 1, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int tsteps = TSTEPS, n = N;
  double *A = bench_alloc(sizeof(double[n]));
  double *B = bench_alloc(sizeof(double[n]));

  while (bench_again(&bench)) {
    init(n, A, B);
    if (bench_inputs(&bench)) {
      bench_dump("in.tsteps", 'i', &tsteps, 0);
      bench_dump("in.A", 'd', A, 1, n);
      bench_dump("in.B", 'd', B, 1, n);
    }
    bench_start(&bench);
    kernel_jacobi_1d(tsteps, n, A, B);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, A);
  free(A);
  free(B);
  return 0;
}
