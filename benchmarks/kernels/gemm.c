/* gemm: general matrix product with accumulation, C = alpha*A*B + beta*C. */
#include "bench.h"

#ifndef NI
#define NI BENCH_SIZE(8, 60, 200, 1000)
#endif
#ifndef NJ
#define NJ BENCH_SIZE(9, 70, 220, 1100)
#endif
#ifndef NK
#define NK BENCH_SIZE(10, 80, 240, 1200)
#endif

static void init(int ni, int nj, int nk, double C[ni][nj], double A[ni][nk], double B[nk][nj])
{
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++)
      C[i][j] = bench_unit('C', i, j);
  for (int i = 0; i < ni; i++)
    for (int k = 0; k < nk; k++)
      A[i][k] = bench_unit('A', i, k);
  for (int k = 0; k < nk; k++)
    for (int j = 0; j < nj; j++)
      B[k][j] = bench_unit('B', k, j) - 0.25;
}

__attribute__((noinline))
static void kernel_gemm(int ni, int nj, int nk, double alpha, double beta, double C[ni][nj],
                        double A[ni][nk], double B[nk][nj])
{
  int i, j, k;

#pragma scop
  for (i = 0; i < ni; i++) {
    for (j = 0; j < nj; j++)
      C[i][j] *= beta;
    for (k = 0; k < nk; k++)
      for (j = 0; j < nj; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
#pragma endscop
}

static void dump(int ni, int nj, double C[ni][nj])
{
  bench_dump("C", 'd', C, 2, ni, nj);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int ni = NI, nj = NJ, nk = NK;
  double alpha = 1.5, beta = 1.2;
  double (*C)[nj] = bench_alloc(sizeof(double[ni][nj]));
  double (*A)[nk] = bench_alloc(sizeof(double[ni][nk]));
  double (*B)[nj] = bench_alloc(sizeof(double[nk][nj]));

  while (bench_again(&bench)) {
    init(ni, nj, nk, C, A, B);
    if (bench_inputs(&bench)) {
      bench_dump("in.alpha", 'd', &alpha, 0);
      bench_dump("in.beta", 'd', &beta, 0);
      bench_dump("in.C", 'd', C, 2, ni, nj);
      bench_dump("in.A", 'd', A, 2, ni, nk);
      bench_dump("in.B", 'd', B, 2, nk, nj);
    }
    bench_start(&bench);
    kernel_gemm(ni, nj, nk, alpha, beta, C, A, B);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(ni, nj, C);
  free(C);
  free(A);
  free(B);
  return 0;
}
