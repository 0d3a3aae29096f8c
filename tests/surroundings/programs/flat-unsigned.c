/* Flat matrices with unsigned sizes and counters; a product with a transposed matrix. */
#include <stdlib.h>
#include "show.h"

static void gram(unsigned rows, unsigned cols, const double *v, double *g)
{
  for (unsigned i = 0; i < rows; i++) /* => rewritten */
    for (unsigned j = 0; j < rows; j++) {
      g[i * rows + j] = 0.0;
      for (unsigned k = 0; k < cols; k++)
        g[i * rows + j] += v[i * cols + k] * v[j * cols + k];
    }
}

int main(void)
{
  unsigned rows = 33, cols = 50;
  double *v = malloc(rows * cols * sizeof(double));
  double *g = malloc(rows * rows * sizeof(double));
  for (unsigned i = 0; i < rows * cols; i++)
    v[i] = (double)(i * 7 % 31) / 4;
  gram(rows, cols, v, g);
  show("g", g, rows * rows);
  free(v);
  free(g);
  return 0;
}
