/* A scalar that only some iterations write, beside a product. */
#include "show.h"

static double a[32][32], b[32][32], c[32][32];

static void maxima(int n, double *best)
{
  double m = -1e30;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      if (a[i][j] > m)
        m = a[i][j];
    best[i] = m;
  }
}

static void product(int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
  double best[32];
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 32; j++) {
      a[i][j] = (i * 31 + j * 17) % 43;
      b[i][j] = i == j;
    }
  maxima(32, best);
  product(32);
  show("best", best, 32);
  show("c", &c[0][0], 1024);
  return 0;
}
