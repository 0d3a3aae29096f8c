/* symm: symmetric matrix product, C = alpha*A*B + beta*C, where only the lower triangle of the
 * symmetric A is read. */
#include "bench.h"

#ifndef M
#define M BENCH_SIZE(8, 60, 200, 1000)
#endif
#ifndef N
#define N BENCH_SIZE(10, 80, 240, 1200)
#endif

static void init(int m, int n, double C[m][n], double A[m][m], double B[m][n])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      C[i][j] = bench_unit('C', i, j);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      A[i][j] = bench_unit('A', i, j);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      B[i][j] = bench_unit('B', i, j) - 0.25;
}

__attribute__((noinline))
static void kernel_symm(int m, int n, double alpha, double beta, double C[m][n], double A[m][m],
                        double B[m][n])
{
  int i, j, k;
  double sum;

#pragma scop
  for (i = 0; i < m; i++)
    for (j = 0; j < n; j++) {
      sum = 0.0;
      for (k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        sum += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * sum;
    }
#pragma endscop
}

static void dump(int m, int n, double C[m][n])
{
  bench_dump("C", 'd', C, 2, m, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int m = M, n = N;
  double alpha = 1.5, beta = 1.2;
  double (*C)[n] = bench_alloc(sizeof(double[m][n]));
  double (*A)[m] = bench_alloc(sizeof(double[m][m]));
  double (*B)[n] = bench_alloc(sizeof(double[m][n]));

  while (bench_again(&bench)) {
    init(m, n, C, A, B);
    if (bench_inputs(&bench)) {
      bench_dump("in.alpha", 'd', &alpha, 0);
      bench_dump("in.beta", 'd', &beta, 0);
      bench_dump("in.C", 'd', C, 2, m, n);
      bench_dump("in.A", 'd', A, 2, m, m);
      bench_dump("in.B", 'd', B, 2, m, n);
    }
    bench_start(&bench);
    kernel_symm(m, n, alpha, beta, C, A, B);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(m, n, C);
  free(C);
  free(A);
  free(B);
  return 0;
}
