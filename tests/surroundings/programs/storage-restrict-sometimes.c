/* restrict on one pointer and not on the others. */
#include <stdlib.h>
#include "show.h"

static void smm(int m, int n, int k, const float *restrict a, const float *b, float *c)
{
  for (int j = 0; j < n; j++) /* => rewritten */
    for (int i = 0; i < m; i++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

int main(void)
{
  int m = 30, n = 34, k = 38;
  float *a = malloc(m * k * 4), *b = malloc(k * n * 4), *c = malloc(m * n * 4);
  for (int i = 0; i < m * k; i++)
    a[i] = (float)(i % 6);
  for (int i = 0; i < k * n; i++)
    b[i] = (float)(i % 11) / 8;
  smm(m, n, k, a, b, c);
  show_floats("c", c, m * n);
  free(a);
  free(b);
  free(c);
  return 0;
}
