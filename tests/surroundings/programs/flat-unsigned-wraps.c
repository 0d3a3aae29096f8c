/* Offsets that wrap around in 32 bits, on purpose: the row before is the row at -n. */
#include <stdlib.h>
#include "show.h"

static void against_row_before(unsigned n, double *a, unsigned before, int times)
{
  for (int t = 0; t < times; t++) /* => either */
    for (unsigned i = 1; i < n; i++)
      for (unsigned j = 0; j < n; j++)
        a[i * n + j] += 0.125 * a[i * n + before + j];
}

static void product(unsigned n, const double *a, const double *b, double *c, unsigned shift)
{
  for (unsigned i = 1; i < n; i++) /* => either */
    for (unsigned j = 0; j < n; j++)
      for (unsigned k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k + shift] * b[k * n + j];
}

int main(void)
{
  unsigned n = 40;
  double *a = malloc(n * n * 8), *c = calloc(n * n, 8);
  for (unsigned i = 0; i < n * n; i++)
    a[i] = i % 23;
  against_row_before(n, a, -n, 3);
  product(n, a, a, c, 0u - n);
  show("a", a, n * n);
  show("c", c, n * n);
  free(a);
  free(c);
  return 0;
}
