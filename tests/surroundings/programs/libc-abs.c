/* abs, labs and isnan: known, and harmless. */
#include <math.h>
#include <stdlib.h>
#include "show.h"

#define N 36

static double kernel[N][N], out[N][N];

static void weigh(int n, int reach)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        if (abs(i - k) <= reach)
          out[i][j] += kernel[k][j] / (1 + abs(i - k));
}

static void clean(int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (isnan(out[i][j]))
        out[i][j] = 0;
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      kernel[i][j] = (i * 5 + j) % 23;
  weigh(N, 5);
  clean(N);
  show("out", &out[0][0], N * N);
  return 0;
}
