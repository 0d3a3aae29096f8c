/* MIN and MAX of the plain kind in bounds and in values. */
#include "show.h"

#define MIN(x, y) (((x) < (y)) ? (x) : (y))
#define MAX(x, y) (((x) > (y)) ? (x) : (y))

#define N 50
#define BAND 6

static double a[N][N], b[N][N], c[N][N];

static void banded(int n, int band)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = MAX(0, i - band); j < MIN(n, i + band + 1); j++)
      for (int k = MAX(0, i - band); k < MIN(n, i + band + 1); k++)
        c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i + j) % 4;
      b[i][j] = (i * j) % 7;
    }
  banded(N, BAND);
  show("c", &c[0][0], N * N);
  return 0;
}
