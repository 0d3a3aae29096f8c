/* bicg: the two products of the BiCG method, s = A^T * r and q = A*p. */
#include "bench.h"

#ifndef M
#define M BENCH_SIZE(8, 70, 220, 1900)
#endif
#ifndef N
#define N BENCH_SIZE(10, 90, 260, 2100)
#endif

static void init(int m, int n, double A[n][m], double p[m], double r[n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] = bench_unit('A', i, j);
  for (int i = 0; i < m; i++)
    p[i] = bench_unit('p', i, 0) - 0.25;
  for (int i = 0; i < n; i++)
    r[i] = bench_unit('r', i, 0);
}

__attribute__((noinline))
static void kernel_bicg(int m, int n, double A[n][m], double s[m], double q[n], double p[m],
                        double r[n])
{
#pragma scop
  for (int i = 0; i < m; i++)
    s[i] = 0.0;
  for (int i = 0; i < n; i++) {
    q[i] = 0.0;
    for (int j = 0; j < m; j++) {
      s[j] = s[j] + r[i] * A[i][j];
      q[i] = q[i] + A[i][j] * p[j];
    }
  }
#pragma endscop
}

static void dump(int m, int n, double s[m], double q[n])
{
  bench_dump("s", 'd', s, 1, m);
  bench_dump("q", 'd', q, 1, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int m = M, n = N;
  double (*A)[m] = bench_alloc(sizeof(double[n][m]));
  double *s = bench_alloc(sizeof(double[m]));
  double *q = bench_alloc(sizeof(double[n]));
  double *p = bench_alloc(sizeof(double[m]));
  double *r = bench_alloc(sizeof(double[n]));

  while (bench_again(&bench)) {
    init(m, n, A, p, r);
    if (bench_inputs(&bench)) {
      bench_dump("in.A", 'd', A, 2, n, m);
      bench_dump("in.p", 'd', p, 1, m);
      bench_dump("in.r", 'd', r, 1, n);
    }
    bench_start(&bench);
    kernel_bicg(m, n, A, s, q, p, r);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(m, n, s, q);
  free(A);
  free(s);
  free(q);
  free(p);
  free(r);
  return 0;
}
