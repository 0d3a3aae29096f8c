/* Loops that macros write. */
#include "show.h"

#define FOR(v, n) for (int v = 0; v < (n); v++)
#define FORI(v, lo, hi) for (int v = (lo); v <= (hi); v++)

#define N 38

static double x[N][N], y[N][N], z[N][N];

static void product(int n)
{
  FOR(i, n) /* => rewritten */
    FOR(j, n)
      FOR(k, n)
        z[i][j] += x[i][k] * y[k][j];
}

static void relax(int n, int times)
{
  FOR(t, times) /* => rewritten */
    FORI(i, 1, n - 2)
      FORI(j, 1, n - 2)
        x[i][j] = (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]) * 0.25;
}

int main(void)
{
  FOR(i, N)
    FOR(j, N) {
      x[i][j] = (i + j) % 6;
      y[i][j] = (i * 3 + j) % 10;
    }
  product(N);
  relax(N, 6);
  show("z", &z[0][0], N * N);
  show("x", &x[0][0], N * N);
  return 0;
}
