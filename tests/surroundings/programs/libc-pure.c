/* Functions of the mathematics in the innermost loop. */
#include <math.h>
#include "show.h"

#define N 30

static double x[N][N], y[N][N];

static void transform(int n, int rounds)
{
  for (int r = 0; r < rounds; r++) /* => rewritten */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        y[i][j] += fmax(sin(x[j][i]), cos(x[j][i])) * hypot(i, j);
        y[i][j] = fmin(y[i][j], 1e6) + floor(exp(-x[i][j] * x[i][j]) * 8) + fabs(tanh(x[i][j]));
      }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x[i][j] = (i - j) * 0.1;
  transform(N, 3);
  show("y", &y[0][0], N * N);
  return 0;
}
