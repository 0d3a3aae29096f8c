/* An unknown call on a struct pointer, then stores through a member of it. */
#include <stdlib.h>
#include <string.h>
#include "show.h"

typedef struct {
  unsigned dim, max_dim;
  double *ve;
} VEC;

VEC *v_resize(VEC *x, unsigned dim)
{
  if (x == NULL)
    x = calloc(1, sizeof *x);
  if (dim > x->max_dim) {
    x->ve = realloc(x->ve, dim * sizeof(double));
    x->max_dim = dim;
  }
  x->dim = dim;
  return x;
}

static VEC *scaled_rows(const double *m, unsigned rows, unsigned cols, VEC *tmp)
{
  for (unsigned i = 0; i < rows; i++) { /* => left: v_resize */
    tmp = v_resize(tmp, cols + i % 2);
    for (unsigned k = 0; k < cols; k++)
      tmp->ve[k] = m[i * cols + k] * (i + 1);
  }
  return tmp;
}

static void normal_equations(const double *m, unsigned rows, unsigned cols, double *out)
{
  for (unsigned i = 0; i < cols; i++) /* => rewritten */
    for (unsigned j = 0; j < cols; j++)
      for (unsigned k = 0; k < rows; k++)
        out[i * cols + j] += m[k * cols + i] * m[k * cols + j];
}

int main(void)
{
  unsigned rows = 20, cols = 24;
  double *m = malloc(rows * cols * sizeof(double)), *out = calloc(cols * cols, sizeof(double));
  for (unsigned i = 0; i < rows * cols; i++)
    m[i] = i % 10 - 4.5;
  VEC *tmp = scaled_rows(m, rows, cols, NULL);
  normal_equations(m, rows, cols, out);
  show("tmp", tmp->ve, cols);
  show("out", out, cols * cols);
  free(tmp->ve);
  free(tmp);
  free(m);
  free(out);
  return 0;
}
