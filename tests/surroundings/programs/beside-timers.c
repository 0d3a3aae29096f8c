/* Timers and logs around each phase. */
#include <stdlib.h>
#include <time.h>
#include "show.h"

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define TIC double t0_ = seconds()
#define TOC(what) fprintf(stderr, "%s: %.3f s\n", what, seconds() - t0_)

static void run(int n, double (*restrict a)[n], double (*restrict b)[n])
{
  TIC;
  for (int t = 0; t < 6; t++) /* => rewritten */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] += 0.125 * b[j][i] * b[t][j];
  TOC("first");
  double start = seconds();
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        b[i][j] += a[i][k] * a[j][k];
  fprintf(stderr, "second: %.3f s\n", seconds() - start);
}

int main(void)
{
  static double a[30][30], b[30][30];
  for (int i = 0; i < 900; i++) {
    a[i / 30][i % 30] = i % 4 * 0.01;
    b[i / 30][i % 30] = i % 7;
  }
  run(30, a, b);
  show("b", &b[0][0], 900);
  return 0;
}
