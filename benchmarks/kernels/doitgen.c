/* doitgen: multiresolution analysis kernel, a three-dimensional array times a matrix along its last
 * dimension, in place: A[r][q][p] = sum_s A[r][q][s]*C4[s][p]. */
#include "bench.h"

#ifndef NQ
#define NQ BENCH_SIZE(6, 20, 40, 140)
#endif
#ifndef NR
#define NR BENCH_SIZE(7, 25, 50, 150)
#endif
#ifndef NP
#define NP BENCH_SIZE(8, 30, 60, 160)
#endif

static void init(int nq, int nr, int np, double A[nr][nq][np], double C4[np][np])
{
  for (int i = 0; i < nr; i++)
    for (int j = 0; j < nq; j++)
      for (int k = 0; k < np; k++)
        A[i][j][k] = bench_unit('A', i * nq + j, k);
  for (int i = 0; i < np; i++)
    for (int j = 0; j < np; j++)
      C4[i][j] = bench_unit('C', i, j) - 0.25;
}

__attribute__((noinline))
static void kernel_doitgen(int nq, int nr, int np, double A[nr][nq][np], double C4[np][np],
                           double sum[np])
{
#pragma scop
  for (int r = 0; r < nr; r++)
    for (int q = 0; q < nq; q++) {
      for (int p = 0; p < np; p++) {
        Init: sum[p] = 0.0;
        for (int s = 0; s < np; s++)
          Mult: sum[p] += A[r][q][s] * C4[s][p];
      }
      for (int p = 0; p < np; p++)
        Ret: A[r][q][p] = sum[p];
    }
#pragma endscop
}

static void dump(int nq, int nr, int np, double A[nr][nq][np])
{
  bench_dump("A", 'd', A, 3, nr, nq, np);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int nq = NQ, nr = NR, np = NP;
  double (*A)[nq][np] = bench_alloc(sizeof(double[nr][nq][np]));
  double (*C4)[np] = bench_alloc(sizeof(double[np][np]));
  double *sum = bench_alloc(sizeof(double[np]));

  while (bench_again(&bench)) {
    init(nq, nr, np, A, C4);
    if (bench_inputs(&bench)) {
      bench_dump("in.A", 'd', A, 3, nr, nq, np);
      bench_dump("in.C4", 'd', C4, 2, np, np);
    }
    bench_start(&bench);
    kernel_doitgen(nq, nr, np, A, C4, sum);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(nq, nr, np, A);
  free(A);
  free(C4);
  free(sum);
  return 0;
}
