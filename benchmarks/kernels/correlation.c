/* correlation: correlation matrix of the m columns of data, corr[i][j] = sum_k z[k][i]*z[k][j] with
 * z[k][j] = (data[k][j] - mean[j]) / (sqrt(n)*stddev[j]); a stddev of at most 0.1 counts as 1. */
#include "bench.h"

#ifndef M
#define M BENCH_SIZE(8, 80, 240, 1200)
#endif
#ifndef N
#define N BENCH_SIZE(10, 100, 260, 1400)
#endif

static void init(int m, int n, double data[n][m])
{
  /* Column 3 is almost constant, so that its standard deviation is below the limit. */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      data[i][j] = bench_unit('d', i, j) * (j == 3 ? 0.1 : 1.0 + 0.01 * j) + 0.5 * j;
}

__attribute__((noinline))
static void kernel_correlation(int m, int n, double count, double limit, double data[n][m],
                               double corr[m][m], double mean[m], double stddev[m])
{
#pragma scop
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= count;
  }
  for (int j = 0; j < m; j++) {
    stddev[j] = 0.0;
    for (int i = 0; i < n; i++)
      stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    stddev[j] /= count;
    stddev[j] = sqrt(stddev[j]);
    stddev[j] = stddev[j] <= limit ? 1.0 : stddev[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      data[i][j] -= mean[j];
      data[i][j] /= sqrt(count) * stddev[j];
    }
  for (int i = 0; i < m - 1; i++) {
    corr[i][i] = 1.0;
    for (int j = i + 1; j < m; j++) {
      corr[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        corr[i][j] += data[k][i] * data[k][j];
      corr[j][i] = corr[i][j];
    }
  }
  corr[m - 1][m - 1] = 1.0;
#pragma endscop
}

static void dump(int m, double corr[m][m])
{
  bench_dump("corr", 'd', corr, 2, m, m);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int m = M, n = N;
  double count = n, limit = 0.1;
  double (*data)[m] = bench_alloc(sizeof(double[n][m]));
  double (*corr)[m] = bench_alloc(sizeof(double[m][m]));
  double *mean = bench_alloc(sizeof(double[m]));
  double *stddev = bench_alloc(sizeof(double[m]));

  while (bench_again(&bench)) {
    init(m, n, data);
    if (bench_inputs(&bench)) {
      bench_dump("in.count", 'd', &count, 0);
      bench_dump("in.limit", 'd', &limit, 0);
      bench_dump("in.data", 'd', data, 2, n, m);
    }
    bench_start(&bench);
    kernel_correlation(m, n, count, limit, data, corr, mean, stddev);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(m, corr);
  free(data);
  free(corr);
  free(mean);
  free(stddev);
  return 0;
}
