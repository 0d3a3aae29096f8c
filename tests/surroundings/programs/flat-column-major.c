/* Column-major storage as in LAPACK: a[i + j*lda], with 1 <= lda. */
#include <stdlib.h>
#include "show.h"

static void dgemm_nn(int m, int n, int k, double alpha, const double *a, int lda, const double *b,
                     int ldb, double beta, double *c, int ldc)
{
  int i, j, l;
  double temp;

  if (m <= 0 || n <= 0)
    return;
  for (j = 0; j < n; ++j) { /* => rewritten */
    for (i = 0; i < m; ++i)
      c[i + j * ldc] = beta * c[i + j * ldc];
    for (l = 0; l < k; ++l) {
      temp = alpha * b[l + j * ldb];
      for (i = 0; i < m; ++i)
        c[i + j * ldc] += temp * a[i + l * lda];
    }
  }
}

int main(void)
{
  int m = 33, n = 27, k = 41, lda = 35, ldb = 41, ldc = 40;
  double *a = malloc(sizeof(double) * lda * k), *b = malloc(sizeof(double) * ldb * n);
  double *c = malloc(sizeof(double) * ldc * n);
  for (int i = 0; i < lda * k; i++)
    a[i] = i % 17 - 8;
  for (int i = 0; i < ldb * n; i++)
    b[i] = i % 7 * 0.5;
  for (int i = 0; i < ldc * n; i++)
    c[i] = i % 3;
  dgemm_nn(m, n, k, 0.5, a, lda, b, ldb, 2.0, c, ldc);
  show("c", c, ldc * n);
  free(a);
  free(b);
  free(c);
  return 0;
}
