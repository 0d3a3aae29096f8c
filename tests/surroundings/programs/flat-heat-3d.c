/* Heat in a box, IDX(i, j, k) on flat arrays, two arrays in turn. */
#include <stdlib.h>
#include "show.h"

#define IDX(i, j, k) (((i) * ny + (j)) * nz + (k))

static void step(int nx, int ny, int nz, const double *u, double *v)
{
  for (int i = 1; i < nx - 1; i++)
    for (int j = 1; j < ny - 1; j++)
      for (int k = 1; k < nz - 1; k++)
        v[IDX(i, j, k)] = u[IDX(i, j, k)]
            + 0.1 * (u[IDX(i + 1, j, k)] + u[IDX(i - 1, j, k)] + u[IDX(i, j + 1, k)]
                     + u[IDX(i, j - 1, k)] + u[IDX(i, j, k + 1)] + u[IDX(i, j, k - 1)]
                     - 6 * u[IDX(i, j, k)]);
}

static void simulate(int steps, int nx, int ny, int nz, double *u, double *v)
{
  for (int t = 0; t < steps; t++) { /* => rewritten */
    step(nx, ny, nz, u, v);
    step(nx, ny, nz, v, u);
  }
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 14, nx = n, ny = n + 2, nz = n + 4;
  double *u = malloc(sizeof(double) * nx * ny * nz), *v = malloc(sizeof(double) * nx * ny * nz);
  for (int i = 0; i < nx * ny * nz; i++)
    u[i] = v[i] = (i * 13) % 101;
  simulate(3, nx, ny, nz, u, v);
  show("u", u, nx * ny * nz);
  free(u);
  free(v);
  return 0;
}
