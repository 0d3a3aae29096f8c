/* syr2k: symmetric rank-2k update of the lower triangle, C = alpha*A*B^T + alpha*B*A^T + beta*C. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(10, 80, 240, 1200)
#endif
#ifndef M
#define M BENCH_SIZE(8, 60, 200, 1000)
#endif

static void init(int n, int m, double C[n][n], double A[n][m], double B[n][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[i][j] = bench_unit('C', i, j);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] = bench_unit('A', i, j);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      B[i][j] = bench_unit('B', i, j) - 0.25;
}

__attribute__((noinline))
static void kernel_syr2k(int n, int m, double alpha, double beta, double C[n][n], double A[n][m],
                         double B[n][m])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
#pragma endscop
}

static void dump(int n, double C[n][n])
{
  bench_dump("C", 'd', C, 2, n, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int n = N, m = M;
  double alpha = 1.5, beta = 1.2;
  double (*C)[n] = bench_alloc(sizeof(double[n][n]));
  double (*A)[m] = bench_alloc(sizeof(double[n][m]));
  double (*B)[m] = bench_alloc(sizeof(double[n][m]));

  while (bench_again(&bench)) {
    init(n, m, C, A, B);
    if (bench_inputs(&bench)) {
      bench_dump("in.alpha", 'd', &alpha, 0);
      bench_dump("in.beta", 'd', &beta, 0);
      bench_dump("in.C", 'd', C, 2, n, n);
      bench_dump("in.A", 'd', A, 2, n, m);
      bench_dump("in.B", 'd', B, 2, n, m);
    }
    bench_start(&bench);
    kernel_syr2k(n, m, alpha, beta, C, A, B);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, C);
  free(C);
  free(A);
  free(B);
  return 0;
}
