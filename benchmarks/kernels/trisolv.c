/* trisolv: triangular solve, L*x = b by forward substitution, where only the lower triangle of L is
 * read. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(10, 100, 300, 2000)
#endif

static void init(int n, double L[n][n], double b[n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      L[i][j] = bench_unit('L', i, j) - 0.25 + (i == j ? n : 0);
  for (int i = 0; i < n; i++)
    b[i] = bench_unit('b', i, 0);
}

__attribute__((noinline))
static void kernel_trisolv(int n, double L[n][n], double x[n], double b[n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
#pragma endscop
}

static void dump(int n, double x[n])
{
  bench_dump("x", 'd', x, 1, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int n = N;
  double (*L)[n] = bench_alloc(sizeof(double[n][n]));
  double *x = bench_alloc(sizeof(double[n]));
  double *b = bench_alloc(sizeof(double[n]));

  while (bench_again(&bench)) {
    init(n, L, b);
    if (bench_inputs(&bench)) {
      bench_dump("in.L", 'd', L, 2, n, n);
      bench_dump("in.b", 'd', b, 1, n);
    }
    bench_start(&bench);
    kernel_trisolv(n, L, x, b);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, x);
  free(L);
  free(x);
  free(b);
  return 0;
}
