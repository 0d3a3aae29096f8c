/* The inner counter runs past the row: the rows overlap, and no dimension may be assumed. */
#include <stdlib.h>
#include "show.h"

static void windows(int n, int hop, int width, const double *signal, double *out)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < width; j++)
      out[i * hop + j] += signal[i * hop + j] * (j + 1);
}

static void multiply(int n, const double *a, const double *b, double *c)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int main(void)
{
  int n = 40, hop = 7, width = 20, all = n * hop + width;
  double *signal = malloc(all * sizeof(double)), *out = calloc(all, sizeof(double));
  for (int i = 0; i < all; i++)
    signal[i] = (i % 12) / 12.0;
  windows(n, hop, width, signal, out);
  show("out", out, all);
  multiply(12, signal, signal + 144, out);
  show("out", out, all);
  free(signal);
  free(out);
  return 0;
}
