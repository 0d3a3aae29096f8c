/* Leading dimensions of zero: all rows are one. */
#include <stdlib.h>
#include "show.h"

static void gemm(int n, const double *a, int lda, const double *b, int ldb, double *c, int ldc)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * ldc + j] = 0.5 * c[i * ldc + j] + a[i * lda + k] * b[k * ldb + j];
}

int main(void)
{
  int n = 36;
  double *a = malloc(n * n * 8), *b = malloc(n * n * 8), *c = calloc(n * n, 8);
  for (int i = 0; i < n * n; i++) {
    a[i] = i % 19 / 19.0;
    b[i] = i % 13;
  }
  gemm(n, a, n, b, n, c, n);
  show("c", c, n * n);
  gemm(n, a, 0, b, n, c, n);
  show("c", c, n * n);
  gemm(n, a, n, b, 0, c, 0);
  show("c", c, n * n);
  gemm(n, a, n, b, 1, c, 1);
  show("c", c, n * n);
  free(a);
  free(b);
  free(c);
  return 0;
}
