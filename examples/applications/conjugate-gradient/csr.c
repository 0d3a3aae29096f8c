#include "sparse.h"

#include <stdlib.h>
#include <string.h>

/* Seven points in three dimensions; numbers go along z first. */
int csr_poisson(Csr *a, int nx, int ny, int nz)
{
  int rows = nx * ny * nz, at = 0;
  a->rows = rows;
  a->start = malloc((size_t)(rows + 1) * sizeof(int));
  a->column = malloc((size_t)rows * 7 * sizeof(int));
  a->value = malloc((size_t)rows * 7 * sizeof(real));
  if (!a->start || !a->column || !a->value) {
    csr_free(a);
    return -1;
  }
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nz; k++) {
        int row = (i * ny + j) * nz + k;
        a->start[row] = at;
        if (i > 0) {
          a->column[at] = row - ny * nz;
          a->value[at++] = -1.0;
        }
        if (j > 0) {
          a->column[at] = row - nz;
          a->value[at++] = -1.0;
        }
        if (k > 0) {
          a->column[at] = row - 1;
          a->value[at++] = -1.0;
        }
        a->column[at] = row;
        a->value[at++] = 6.01;
        if (k < nz - 1) {
          a->column[at] = row + 1;
          a->value[at++] = -1.0;
        }
        if (j < ny - 1) {
          a->column[at] = row + nz;
          a->value[at++] = -1.0;
        }
        if (i < nx - 1) {
          a->column[at] = row + ny * nz;
          a->value[at++] = -1.0;
        }
      }
  a->start[rows] = at;
  a->entries = at;
  return 0;
}

void csr_free(Csr *a)
{
  free(a->start);
  free(a->column);
  free(a->value);
  memset(a, 0, sizeof *a);
}

void csr_multiply(const Csr *a, const real *x, real *y)
{
  for (int i = 0; i < a->rows; i++) {
    real sum = 0;
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      sum += a->value[k] * x[a->column[k]];
    y[i] = sum;
  }
}

void csr_diagonal(const Csr *a, real *d)
{
  for (int i = 0; i < a->rows; i++) {
    d[i] = 0;
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      if (a->column[k] == i)
        d[i] = a->value[k];
  }
}

static real entry(const Csr *a, int row, int column)
{
  for (int k = a->start[row]; k < a->start[row + 1]; k++)
    if (a->column[k] == column)
      return a->value[k];
  return 0;
}

int csr_is_symmetric(const Csr *a)
{
  for (int i = 0; i < a->rows; i++)
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      if (entry(a, a->column[k], i) != a->value[k])
        return 0;
  return 1;
}

/* The same product without the matrix. */
void stencil_multiply(int nx, int ny, int nz, const real *x, real *y)
{
#define X(i, j, k) x[((i) * ny + (j)) * nz + (k)]
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nz; k++) {
        real sum = 6.01 * X(i, j, k);
        if (i > 0)
          sum -= X(i - 1, j, k);
        if (j > 0)
          sum -= X(i, j - 1, k);
        if (k > 0)
          sum -= X(i, j, k - 1);
        if (k < nz - 1)
          sum -= X(i, j, k + 1);
        if (j < ny - 1)
          sum -= X(i, j + 1, k);
        if (i < nx - 1)
          sum -= X(i + 1, j, k);
        y[(i * ny + j) * nz + k] = sum;
      }
#undef X
}
