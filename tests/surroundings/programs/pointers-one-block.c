/* double ** into one block, as numerical recipes allocate. */
#include <stdlib.h>
#include "show.h"

static double **dmatrix(long nrow, long ncol)
{
  double **m = malloc((size_t)nrow * sizeof(double *));
  m[0] = malloc((size_t)(nrow * ncol) * sizeof(double));
  for (long i = 1; i < nrow; i++)
    m[i] = m[i - 1] + ncol;
  return m;
}

static void jacobi(double **u, double **v, long n, int sweeps)
{
  for (int s = 0; s < sweeps; s++) { /* => rewritten */
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        u[i][j] = v[i][j];
  }
}

int main(void)
{
  long n = 33;
  double **u = dmatrix(n, n), **v = dmatrix(n, n);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      u[i][j] = v[i][j] = i == 0 ? 1.0 : (double)(j % 5) / 5;
  jacobi(u, v, n, 10);
  show("u", u[0], n * n);
  free(u[0]);
  free(u);
  free(v[0]);
  free(v);
  return 0;
}
