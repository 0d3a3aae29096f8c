/* The last row first: a leading dimension below zero. */
#include <stdlib.h>
#include "show.h"

static void smooth(int h, int w, double *image, int stride, int times)
{
  for (int t = 0; t < times; t++) /* => either */
    for (int y = 1; y < h; y++)
      for (int x = 1; x < w; x++)
        image[y * stride + x] = 0.5 * image[y * stride + x] + 0.25 * image[(y - 1) * stride + x]
                                + 0.25 * image[y * stride + x - 1];
}

static void product(int n, const double *a, const double *b, double *c, int ldc)
{
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * ldc + j] += a[i * n + k] * b[k * n + j];
}

int main(void)
{
  int n = 38;
  double *a = malloc(n * n * 8), *c = calloc(n * n, 8);
  for (int i = 0; i < n * n; i++)
    a[i] = i % 17;
  smooth(n, n, a, n, 3);
  smooth(n, n, a + (n - 1) * n, -n, 3);
  product(n, a, a, c + (n - 1) * n, -n);
  show("a", a, n * n);
  show("c", c, n * n);
  free(a);
  free(c);
  return 0;
}
