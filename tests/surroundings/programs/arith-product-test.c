/* A test that is not affine, on sizes and counters. */
#include "show.h"

#define N 32

static double a[N][N], b[N][N], c[N][N];

static void hyperbolic(int n)
{
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++)
      if (i * j < n)
        a[j][i] += b[i][j] * b[j][i];
}

static void product(int n, int m)
{
  if (n * m > 100)
    for (int i = 0; i < n; i++) /* => rewritten */
      for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
          c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i + j;
      b[i][j] = (i * j) % 7;
    }
  hyperbolic(N);
  product(N, N);
  show("c", &c[0][0], N * N);
  return 0;
}
