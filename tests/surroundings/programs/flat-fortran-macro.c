/* Column-major with indices from one, by macros that shift. */
#include <stdlib.h>
#include "show.h"

#define A(i, j) a[((i) - 1) + ((j) - 1) * lda]
#define B(i, j) b[((i) - 1) + ((j) - 1) * ldb]

static void trsm_lower(int n, int m, const double *a, int lda, double *b, int ldb)
{
  int i, j, k;
  for (j = 1; j <= m; j++) /* => rewritten */
    for (k = 1; k <= n; k++) {
      B(k, j) /= A(k, k);
      for (i = k + 1; i <= n; i++)
        B(i, j) -= B(k, j) * A(i, k);
    }
}

int main(void)
{
  int n = 38, m = 24, lda = 40, ldb = 39;
  double *a = malloc(sizeof(double) * lda * n), *b = malloc(sizeof(double) * ldb * m);
  for (int i = 0; i < lda * n; i++)
    a[i] = (i % 19) / 19.0 + (i % (lda + 1) == 0 ? 20 : 0);
  for (int i = 0; i < ldb * m; i++)
    b[i] = i % 13;
  trsm_lower(n, m, a, lda, b, ldb);
  show("b", b, ldb * m);
  free(a);
  free(b);
  return 0;
}
