/* Steps that are variables: every so many rows. */
#include <stdlib.h>
#include "show.h"

static void every_other_row(int n, int stride, const double *a, const double *b, double *c)
{
  for (int i = 0; i < n; i += stride) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int main(void)
{
  int n = 37;
  double *a = malloc(n * n * 8), *b = malloc(n * n * 8), *c = calloc(n * n, 8);
  for (int i = 0; i < n * n; i++) {
    a[i] = i % 7;
    b[i] = i % 3;
  }
  every_other_row(n, 3, a, b, c);
  show("c", c, n * n);
  free(a);
  free(b);
  free(c);
  return 0;
}
