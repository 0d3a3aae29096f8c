/* Gauss-Seidel in place on a flat array, rows by a static size. */
#include <stdlib.h>
#include "show.h"

static void relax(double *u, const double *f, int n, int sweeps)
{
  for (int s = 0; s < sweeps; s++) /* => rewritten */
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        u[i * (n + 2) + j] = 0.25 * (u[(i - 1) * (n + 2) + j] + u[(i + 1) * (n + 2) + j]
                                     + u[i * (n + 2) + j - 1] + u[i * (n + 2) + j + 1]
                                     - f[i * (n + 2) + j]);
}

int main(void)
{
  int n = 30, all = (n + 2) * (n + 2);
  double *u = calloc(all, sizeof(double)), *f = malloc(all * sizeof(double));
  for (int i = 0; i < all; i++)
    f[i] = (i % 29) / 29.0;
  relax(u, f, n, 12);
  show("u", u, all);
  free(u);
  free(f);
  return 0;
}
