/* Pointers that walk through their arrays: *p++, and p += n. */
#include <stdlib.h>
#include "show.h"

static void outer_products(int n, int times, double *m, const double *x, const double *y)
{
  for (int t = 0; t < times; t++) { /* => rewritten */
    double *p = m;
    for (int i = 0; i < n; i++) {
      const double *q = y;
      for (int j = 0; j < n; j++)
        *p++ += x[i] * *q++;
    }
  }
}

static void row_sums(int n, const double *m, double *out)
{
  const double *row = m;
  for (int i = 0; i < n; i++) { /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        out[j] += row[j] * row[k];
    row += n;
  }
}

int main(void)
{
  int n = 40;
  double *m = calloc(n * n, sizeof *m), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  double *out = calloc(n, sizeof *out);
  for (int i = 0; i < n; i++) {
    x[i] = i % 7;
    y[i] = 1.0 / (i + 1);
  }
  outer_products(n, 6, m, x, y);
  row_sums(n, m, out);
  show("m", m, n * n);
  show("out", out, n);
  free(m);
  free(x);
  free(y);
  free(out);
  return 0;
}
