/* fdtd-2d: finite-difference time-domain steps of a two-dimensional electromagnetic field: ey -=
 * (hz[i][j] - hz[i-1][j])/2, ex -= (hz[i][j] - hz[i][j-1])/2, hz -= 0.7*(curl of e), driven by
 * pulse[t] on the edge i = 0. */
#include "bench.h"

#ifndef TMAX
#define TMAX BENCH_SIZE(3, 40, 80, 500)
#endif
#ifndef NX
#define NX BENCH_SIZE(8, 60, 200, 1000)
#endif
#ifndef NY
#define NY BENCH_SIZE(10, 80, 240, 1200)
#endif

static void init(int tmax, int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny],
                 double pulse[tmax])
{
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      ex[i][j] = bench_unit('x', i, j);
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      ey[i][j] = bench_unit('y', i, j);
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      hz[i][j] = bench_unit('z', i, j);
  for (int t = 0; t < tmax; t++)
    pulse[t] = t + bench_unit('p', t, 0);
}

__attribute__((noinline))
static void kernel_fdtd_2d(int tmax, int nx, int ny, double ex[nx][ny], double ey[nx][ny],
                           double hz[nx][ny], double pulse[tmax])
{
#pragma scop
  for (int t = 0; t < tmax; t++) {
    for (int j = 0; j < ny; j++)
      ey[0][j] = pulse[t];
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++)
        EY: ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < nx; i++)
      for (int j = 1; j < ny; j++)
        EX: ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < nx - 1; i++)
      for (int j = 0; j < ny - 1; j++)
        HZ: hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
#pragma endscop
}

static void dump(int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny])
{
  bench_dump("ex", 'd', ex, 2, nx, ny);
  bench_dump("ey", 'd', ey, 2, nx, ny);
  bench_dump("hz", 'd', hz, 2, nx, ny);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int tmax = TMAX, nx = NX, ny = NY;
  double (*ex)[ny] = bench_alloc(sizeof(double[nx][ny]));
  double (*ey)[ny] = bench_alloc(sizeof(double[nx][ny]));
  double (*hz)[ny] = bench_alloc(sizeof(double[nx][ny]));
  double *pulse = bench_alloc(sizeof(double[tmax]));

  while (bench_again(&bench)) {
    init(tmax, nx, ny, ex, ey, hz, pulse);
    if (bench_inputs(&bench)) {
      bench_dump("in.ex", 'd', ex, 2, nx, ny);
      bench_dump("in.ey", 'd', ey, 2, nx, ny);
      bench_dump("in.hz", 'd', hz, 2, nx, ny);
      bench_dump("in.pulse", 'd', pulse, 1, tmax);
    }
    bench_start(&bench);
    kernel_fdtd_2d(tmax, nx, ny, ex, ey, hz, pulse);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(nx, ny, ex, ey, hz);
  free(ex);
  free(ey);
  free(hz);
  free(pulse);
  return 0;
}
