/* A function that is called with the same array twice: what it assumes has to be tested. */
#include <stdlib.h>
#include "show.h"

static void smooth_into(int n, int times, const double *in, double *out)
{
  for (int t = 0; t < times; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        out[i * n + j] = 0.25 * (in[(i - 1) * n + j] + in[(i + 1) * n + j] + in[i * n + j - 1]
                                 + in[i * n + j + 1]);
}

static void product(int n, const double *a, const double *b, double *restrict c)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int main(void)
{
  int n = 26;
  double *a = malloc(sizeof(double) * n * n), *b = calloc(n * n, sizeof(double));
  for (int i = 0; i < n * n; i++)
    a[i] = (i * 3) % 14;
  smooth_into(n, 3, a, b);
  show("b", b, n * n);
  product(n, a, a, b);
  show("b", b, n * n);
  free(a);
  free(b);
  return 0;
}
