/* do until it has converged: the sweep inside is a nest. */
#include <math.h>
#include "show.h"

#define N 28

static double u[N][N], f[N][N];

static double sweep(int n)
{
  double largest = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      double old = u[i][j];
      u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] + f[i][j]);
      double d = fabs(u[i][j] - old);
      if (d > largest)
        largest = d;
    }
  return largest;
}

static void smooth(int n, int sweeps)
{
  for (int s = 0; s < sweeps; s++) /* => rewritten */
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] + f[i][j]);
}

int main(void)
{
  int rounds = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      f[i][j] = (i * j) % 3;
  do {
    smooth(N, 4);
    rounds++;
  } while (sweep(N) > 1e-2 && rounds < 50);
  printf("%d rounds\n", rounds);
  show("u", &u[0][0], N * N);
  return 0;
}
