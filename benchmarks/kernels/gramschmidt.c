/* gramschmidt: QR factorisation by the modified Gram-Schmidt process, A = Q*R with orthonormal
 * columns in Q and R upper triangular; A is overwritten. */
#include "bench.h"

#ifndef M
#define M BENCH_SIZE(10, 80, 240, 1200)
#endif
#ifndef N
#define N BENCH_SIZE(7, 60, 200, 1000)
#endif

static void init(int m, int n, double A[m][n], double R[n][n])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = bench_unit('A', i, j) + (i == j ? 2.0 : 0.0);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      R[i][j] = 0.0;
}

__attribute__((noinline))
static void kernel_gramschmidt(int m, int n, double A[m][n], double R[n][n], double Q[m][n])
{
  double norm;

#pragma scop
  for (int k = 0; k < n; k++) {
    norm = 0.0;
    for (int i = 0; i < m; i++)
      norm += A[i][k] * A[i][k];
    R[k][k] = sqrt(norm);
    for (int i = 0; i < m; i++)
      Q[i][k] = A[i][k] / R[k][k];
    for (int j = k + 1; j < n; j++) {
      InitR: R[k][j] = 0.0;
      for (int i = 0; i < m; i++)
        UpdateR: R[k][j] += Q[i][k] * A[i][j];
      for (int i = 0; i < m; i++)
        UpdateA: A[i][j] = A[i][j] - Q[i][k] * R[k][j];
    }
  }
#pragma endscop
}

static void dump(int m, int n, double R[n][n], double Q[m][n])
{
  bench_dump("R", 'd', R, 2, n, n);
  bench_dump("Q", 'd', Q, 2, m, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int m = M, n = N;
  double (*A)[n] = bench_alloc(sizeof(double[m][n]));
  double (*R)[n] = bench_alloc(sizeof(double[n][n]));
  double (*Q)[n] = bench_alloc(sizeof(double[m][n]));

  while (bench_again(&bench)) {
    init(m, n, A, R);
    if (bench_inputs(&bench)) {
      bench_dump("in.A", 'd', A, 2, m, n);
      bench_dump("in.R", 'd', R, 2, n, n);
    }
    bench_start(&bench);
    kernel_gramschmidt(m, n, A, R, Q);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(m, n, R, Q);
  free(A);
  free(R);
  free(Q);
  return 0;
}
