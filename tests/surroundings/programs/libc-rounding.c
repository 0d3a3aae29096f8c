/* The direction of rounding changes between two nests. */
#include <fenv.h>
#include "show.h"

#pragma STDC FENV_ACCESS ON

#define N 200

static double a[N][N], b[N][N], c[N][N];

static void product(int n)
{
  for (int i = 0; i < n; i++) /* => left: */
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = 1.0 / (i + j + 1);
      b[i][j] = 1.0 / (2 * i + j + 3);
    }
  product(N);
  show("to nearest", &c[0][0], N * N);
  fesetround(FE_UPWARD);
  product(N);
  fesetround(FE_TONEAREST);
  show("upward", &c[0][0], N * N);
  return 0;
}
