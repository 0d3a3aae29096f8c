/* Packed triangles are not rows of equal length: nothing is assumed, all is right. */
#include <stdlib.h>
#include "show.h"

#define PACKED(i, j) ((i) * ((i) + 1) / 2 + (j))

static void rank_k(int n, int k, const double *a, double *c)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int l = 0; l < k; l++)
        c[PACKED(i, j)] += a[i * k + l] * a[j * k + l];
}

static void transpose_product(int n, int k, const double *a, double *out)
{
  for (int i = 0; i < k; i++) /* => rewritten */
    for (int j = 0; j < k; j++)
      for (int l = 0; l < n; l++)
        out[i * k + j] += a[l * k + i] * a[l * k + j];
}

int main(void)
{
  int n = 26, k = 30;
  double *a = malloc(sizeof(double) * n * k), *c = calloc(n * (n + 1) / 2, sizeof(double));
  double *out = calloc(k * k, sizeof(double));
  for (int i = 0; i < n * k; i++)
    a[i] = i % 11 * 0.25;
  rank_k(n, k, a, c);
  transpose_product(n, k, a, out);
  show("c", c, n * (n + 1) / 2);
  show("out", out, k * k);
  free(a);
  free(c);
  free(out);
  return 0;
}
