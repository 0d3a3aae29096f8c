/* A rank-k update of a flat matrix with long sizes and leading dimensions. */
#include <stdlib.h>
#include "show.h"

static void update(long m, long n, long k, double alpha, const double *a, long lda,
                   const double *b, long ldb, double *c, long ldc)
{
  for (long i = 0; i < m; ++i) /* => rewritten */
    for (long p = 0; p < k; ++p)
      for (long j = 0; j < n; ++j)
        c[i * ldc + j] += alpha * a[i * lda + p] * b[p * ldb + j];
}

int main(int argc, char **argv)
{
  long m = argc > 1 ? atol(argv[1]) : 37, n = m + 5, k = m - 3;
  long lda = k + 2, ldb = n + 1, ldc = n + 4;
  double *a = malloc(m * lda * sizeof(double));
  double *b = malloc(k * ldb * sizeof(double));
  double *c = malloc(m * ldc * sizeof(double));
  for (long i = 0; i < m * lda; i++)
    a[i] = 1.0 / (1 + i % 13);
  for (long i = 0; i < k * ldb; i++)
    b[i] = 2.0 - i % 5;
  for (long i = 0; i < m * ldc; i++)
    c[i] = i % 3;
  update(m, n, k, 1.25, a, lda, b, ldb, c, ldc);
  show("c", c, m * ldc);
  free(a);
  free(b);
  free(c);
  return 0;
}
