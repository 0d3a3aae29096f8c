/* 3mm: three matrix products, G = E*F with E = A*B and F = C*D. */
#include "bench.h"

#ifndef NI
#define NI BENCH_SIZE(8, 60, 200, 800)
#endif
#ifndef NJ
#define NJ BENCH_SIZE(9, 70, 220, 900)
#endif
#ifndef NK
#define NK BENCH_SIZE(10, 80, 240, 1000)
#endif
#ifndef NL
#define NL BENCH_SIZE(11, 90, 260, 1100)
#endif
#ifndef NM
#define NM BENCH_SIZE(12, 100, 280, 1200)
#endif

static void init(int ni, int nj, int nk, int nl, int nm, double A[ni][nk], double B[nk][nj],
                 double C[nj][nm], double D[nm][nl])
{
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nk; j++)
      A[i][j] = bench_unit('A', i, j);
  for (int i = 0; i < nk; i++)
    for (int j = 0; j < nj; j++)
      B[i][j] = bench_unit('B', i, j) - 0.25;
  for (int i = 0; i < nj; i++)
    for (int j = 0; j < nm; j++)
      C[i][j] = bench_unit('C', i, j);
  for (int i = 0; i < nm; i++)
    for (int j = 0; j < nl; j++)
      D[i][j] = bench_unit('D', i, j) - 0.5;
}

__attribute__((noinline))
static void kernel_3mm(int ni, int nj, int nk, int nl, int nm, double E[ni][nj], double A[ni][nk],
                       double B[nk][nj], double F[nj][nl], double C[nj][nm], double D[nm][nl],
                       double G[ni][nl])
{
  int i, j, k;

#pragma scop
  for (i = 0; i < ni; i++)
    for (j = 0; j < nj; j++) {
      InitE: E[i][j] = 0.0;
      for (k = 0; k < nk; k++)
        CompE: E[i][j] += A[i][k] * B[k][j];
    }
  for (i = 0; i < nj; i++)
    for (j = 0; j < nl; j++) {
      InitF: F[i][j] = 0.0;
      for (k = 0; k < nm; k++)
        CompF: F[i][j] += C[i][k] * D[k][j];
    }
  for (i = 0; i < ni; i++)
    for (j = 0; j < nl; j++) {
      InitG: G[i][j] = 0.0;
      for (k = 0; k < nj; k++)
        CompG: G[i][j] += E[i][k] * F[k][j];
    }
#pragma endscop
}

static void dump(int ni, int nl, double G[ni][nl])
{
  bench_dump("G", 'd', G, 2, ni, nl);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int ni = NI, nj = NJ, nk = NK, nl = NL, nm = NM;
  double (*E)[nj] = bench_alloc(sizeof(double[ni][nj]));
  double (*A)[nk] = bench_alloc(sizeof(double[ni][nk]));
  double (*B)[nj] = bench_alloc(sizeof(double[nk][nj]));
  double (*F)[nl] = bench_alloc(sizeof(double[nj][nl]));
  double (*C)[nm] = bench_alloc(sizeof(double[nj][nm]));
  double (*D)[nl] = bench_alloc(sizeof(double[nm][nl]));
  double (*G)[nl] = bench_alloc(sizeof(double[ni][nl]));

  while (bench_again(&bench)) {
    init(ni, nj, nk, nl, nm, A, B, C, D);
    if (bench_inputs(&bench)) {
      bench_dump("in.A", 'd', A, 2, ni, nk);
      bench_dump("in.B", 'd', B, 2, nk, nj);
      bench_dump("in.C", 'd', C, 2, nj, nm);
      bench_dump("in.D", 'd', D, 2, nm, nl);
    }
    bench_start(&bench);
    kernel_3mm(ni, nj, nk, nl, nm, E, A, B, F, C, D, G);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(ni, nl, G);
  free(E);
  free(A);
  free(B);
  free(F);
  free(C);
  free(D);
  free(G);
  return 0;
}
