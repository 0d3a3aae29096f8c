/* trmm: triangular matrix product in place, B = alpha*A^T*B, where A is lower triangular with an
 * implied unit diagonal. */
#include "bench.h"

#ifndef M
#define M BENCH_SIZE(8, 60, 200, 1000)
#endif
#ifndef N
#define N BENCH_SIZE(10, 80, 240, 1200)
#endif

static void init(int m, int n, double A[m][m], double B[m][n])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      A[i][j] = bench_unit('A', i, j) - 0.25;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      B[i][j] = bench_unit('B', i, j);
}

__attribute__((noinline))
static void kernel_trmm(int m, int n, double alpha, double A[m][m], double B[m][n])
{
  int i, j, k;

#pragma scop
  for (i = 0; i < m; i++)
    for (j = 0; j < n; j++) {
      for (k = i + 1; k < m; k++)
        Mult: B[i][j] += A[k][i] * B[k][j];
      Alpha: B[i][j] = alpha * B[i][j];
    }
#pragma endscop
}

static void dump(int m, int n, double B[m][n])
{
  bench_dump("B", 'd', B, 2, m, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int m = M, n = N;
  double alpha = 1.5;
  double (*A)[m] = bench_alloc(sizeof(double[m][m]));
  double (*B)[n] = bench_alloc(sizeof(double[m][n]));

  while (bench_again(&bench)) {
    init(m, n, A, B);
    if (bench_inputs(&bench)) {
      bench_dump("in.alpha", 'd', &alpha, 0);
      bench_dump("in.A", 'd', A, 2, m, m);
      bench_dump("in.B", 'd', B, 2, m, n);
    }
    bench_start(&bench);
    kernel_trmm(m, n, alpha, A, B);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(m, n, B);
  free(A);
  free(B);
  return 0;
}
