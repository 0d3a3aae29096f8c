/* 2mm: two matrix products in a chain, D = alpha*A*B*C + beta*D, with tmp = alpha*A*B. */
#include "bench.h"

#ifndef NI
#define NI BENCH_SIZE(8, 60, 200, 800)
#endif
#ifndef NJ
#define NJ BENCH_SIZE(9, 70, 220, 900)
#endif
#ifndef NK
#define NK BENCH_SIZE(10, 80, 240, 1100)
#endif
#ifndef NL
#define NL BENCH_SIZE(11, 90, 260, 1200)
#endif

static void init(int ni, int nj, int nk, int nl, double A[ni][nk], double B[nk][nj],
                 double C[nj][nl], double D[ni][nl])
{
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nk; j++)
      A[i][j] = bench_unit('A', i, j);
  for (int i = 0; i < nk; i++)
    for (int j = 0; j < nj; j++)
      B[i][j] = bench_unit('B', i, j) - 0.25;
  for (int i = 0; i < nj; i++)
    for (int j = 0; j < nl; j++)
      C[i][j] = bench_unit('C', i, j);
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++)
      D[i][j] = bench_unit('D', i, j);
}

__attribute__((noinline))
static void kernel_2mm(int ni, int nj, int nk, int nl, double alpha, double beta,
                       double tmp[ni][nj], double A[ni][nk], double B[nk][nj], double C[nj][nl],
                       double D[ni][nl])
{
#pragma scop
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      Init: tmp[i][j] = 0.0;
      for (int k = 0; k < nk; k++)
        Mult: tmp[i][j] += alpha * A[i][k] * B[k][j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      Scale: D[i][j] *= beta;
      for (int k = 0; k < nj; k++)
        Sum: D[i][j] += tmp[i][k] * C[k][j];
    }
#pragma endscop
}

static void dump(int ni, int nl, double D[ni][nl])
{
  bench_dump("D", 'd', D, 2, ni, nl);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int ni = NI, nj = NJ, nk = NK, nl = NL;
  double alpha = 1.5, beta = 1.2;
  double (*tmp)[nj] = bench_alloc(sizeof(double[ni][nj]));
  double (*A)[nk] = bench_alloc(sizeof(double[ni][nk]));
  double (*B)[nj] = bench_alloc(sizeof(double[nk][nj]));
  double (*C)[nl] = bench_alloc(sizeof(double[nj][nl]));
  double (*D)[nl] = bench_alloc(sizeof(double[ni][nl]));

  while (bench_again(&bench)) {
    init(ni, nj, nk, nl, A, B, C, D);
    if (bench_inputs(&bench)) {
      bench_dump("in.alpha", 'd', &alpha, 0);
      bench_dump("in.beta", 'd', &beta, 0);
      bench_dump("in.A", 'd', A, 2, ni, nk);
      bench_dump("in.B", 'd', B, 2, nk, nj);
      bench_dump("in.C", 'd', C, 2, nj, nl);
      bench_dump("in.D", 'd', D, 2, ni, nl);
    }
    bench_start(&bench);
    kernel_2mm(ni, nj, nk, nl, alpha, beta, tmp, A, B, C, D);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(ni, nl, D);
  free(tmp);
  free(A);
  free(B);
  free(C);
  free(D);
  return 0;
}
