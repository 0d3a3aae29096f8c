/* Sizes that are globals, set once in main. */
#include <stdlib.h>
#include "show.h"

int nx, ny, nz;
double *field, *flux, *coefficient;

static void fluxes(void)
{
  int i, j, k, l;
  for (i = 1; i < nx; i++) /* => rewritten */
    for (j = 1; j < ny; j++)
      for (k = 1; k < nz; k++)
        for (l = 0; l < nz; l++)
          flux[(i * ny + j) * nz + k] += field[(i * ny + j) * nz + l] * coefficient[l * nz + k];
}

int main(int argc, char **argv)
{
  nx = argc > 1 ? atoi(argv[1]) : 12;
  ny = nx + 1;
  nz = ny + 1;
  field = malloc(sizeof(double) * nx * ny * nz);
  flux = calloc(nx * ny * nz, sizeof(double));
  for (int i = 0; i < nx * ny * nz; i++)
    field[i] = i % 7;
  coefficient = malloc(sizeof(double) * nz * nz);
  for (int i = 0; i < nz * nz; i++)
    coefficient[i] = 1.0 / (1 + i % 5);
  for (int t = 0; t < 4; t++)
    fluxes();
  show("flux", flux, nx * ny * nz);
  free(field);
  free(flux);
  free(coefficient);
  return 0;
}
