/* covariance: covariance matrix of the m columns of data, cov[i][j] = sum_k (data[k][i] -
 * mean[i])*(data[k][j] - mean[j]) / (n - 1). */
#include "bench.h"

#ifndef M
#define M BENCH_SIZE(8, 80, 240, 1200)
#endif
#ifndef N
#define N BENCH_SIZE(10, 100, 260, 1400)
#endif

static void init(int m, int n, double data[n][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      data[i][j] = bench_unit('d', i, j) * (1.0 + 0.01 * j);
}

__attribute__((noinline))
static void kernel_covariance(int m, int n, double count, double data[n][m], double cov[m][m],
                              double mean[m])
{
  int i, j, k;

#pragma scop
  for (j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= count;
  }
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      data[i][j] -= mean[j];
  for (i = 0; i < m; i++)
    for (j = i; j < m; j++) {
      Init: cov[i][j] = 0.0;
      for (k = 0; k < n; k++)
        Mult: cov[i][j] += data[k][i] * data[k][j];
      Final: cov[i][j] /= count - 1.0;
      cov[j][i] = cov[i][j];
    }
#pragma endscop
}

static void dump(int m, double cov[m][m])
{
  bench_dump("cov", 'd', cov, 2, m, m);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int m = M, n = N;
  double count = n;
  double (*data)[m] = bench_alloc(sizeof(double[n][m]));
  double (*cov)[m] = bench_alloc(sizeof(double[m][m]));
  double *mean = bench_alloc(sizeof(double[m]));

  while (bench_again(&bench)) {
    init(m, n, data);
    if (bench_inputs(&bench)) {
      bench_dump("in.count", 'd', &count, 0);
      bench_dump("in.data", 'd', data, 2, n, m);
    }
    bench_start(&bench);
    kernel_covariance(m, n, count, data, cov, mean);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(m, cov);
  free(data);
  free(cov);
  free(mean);
  return 0;
}
