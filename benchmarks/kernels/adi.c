/* adi: alternating direction implicit steps for the heat equation u_t = 2*u_xx + u_yy on the unit
 * square with boundary 1: each half step solves tridiagonal systems a*v[j-1] + b*v[j] + c*v[j+1] =
 * rhs along one direction, by elimination (p, q) and back substitution. */
#include "bench.h"

#ifndef TSTEPS
#define TSTEPS BENCH_SIZE(3, 20, 50, 500)
#endif
#ifndef N
#define N BENCH_SIZE(9, 60, 200, 1000)
#endif

static void init(int n, double u[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      u[i][j] = bench_unit('u', i, j);
}

__attribute__((noinline))
static void kernel_adi(int tsteps, int n, double u[n][n], double v[n][n], double p[n][n],
                       double q[n][n])
{
  double scale = (double)n * n / tsteps; /* dt / dx^2 with dx = 1/n and dt = 1/tsteps */
  double a = -scale, b = 1.0 + 2.0 * scale, c = a;
  double d = -scale / 2.0, e = 1.0 + scale, f = d;

#pragma scop
  for (int t = 1; t <= tsteps; t++) {
    for (int i = 1; i < n - 1; i++) {
      PQinit: v[0][i] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = v[0][i];
      for (int j = 1; j < n - 1; j++) {
        PQ: p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] -
                   a * q[i][j - 1]) / (a * p[i][j - 1] + b);
      }
      Vinit: v[n - 1][i] = 1.0;
      for (int j = n - 2; j >= 1; j--)
        V: v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 1; i < n - 1; i++) {
      u[i][0] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = u[i][0];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] -
                   d * q[i][j - 1]) / (d * p[i][j - 1] + e);
      }
      u[i][n - 1] = 1.0;
      for (int j = n - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
#pragma endscop
}

static void dump(int n, double u[n][n])
{
  bench_dump("u", 'd', u, 2, n, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int tsteps = TSTEPS, n = N;
  double (*u)[n] = bench_alloc(sizeof(double[n][n]));
  double (*v)[n] = bench_alloc(sizeof(double[n][n]));
  double (*p)[n] = bench_alloc(sizeof(double[n][n]));
  double (*q)[n] = bench_alloc(sizeof(double[n][n]));

  while (bench_again(&bench)) {
    init(n, u);
    if (bench_inputs(&bench)) {
      bench_dump("in.tsteps", 'i', &tsteps, 0);
      bench_dump("in.u", 'd', u, 2, n, n);
    }
    bench_start(&bench);
    kernel_adi(tsteps, n, u, v, p, q);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, u);
  free(u);
  free(v);
  free(p);
  free(q);
  return 0;
}
