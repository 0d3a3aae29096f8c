/* Conditionals that a compiler turns into masks. */
#include "show.h"

#define N 50

static float x[N][N], y[N][N], z[N][N];

static void threshold(int n, float limit)
{
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++) {
      if (x[i][j] > limit)
        y[i][j] = x[i][j] - limit;
      else if (x[i][j] < -limit)
        y[i][j] = x[i][j] + limit;
      else
        y[i][j] = 0;
      if (y[i][j] != 0)
        z[i][j] += 1;
    }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x[i][j] = (float)((i * 31 + j * 17) % 41 - 20);
  for (int t = 0; t < 10; t++)
    threshold(N, (float)t);
  show_floats("y", &y[0][0], N * N);
  show_floats("z", &z[0][0], N * N);
  return 0;
}
