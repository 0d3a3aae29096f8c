/* A sparse product stays, the dense one beside it does not. */
#include <stdlib.h>
#include "show.h"

struct csr {
  int rows;
  int *ptr, *col;
  double *val;
};

static void spmv(const struct csr *m, const double *x, double *y)
{
  for (int i = 0; i < m->rows; i++) { /* => either */
    double sum = 0;
    for (int k = m->ptr[i]; k < m->ptr[i + 1]; k++)
      sum += m->val[k] * x[m->col[k]];
    y[i] = sum;
  }
}

static void gram(int n, double (*v)[n], double (*g)[n])
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        g[i][j] += v[k][i] * v[k][j];
}

int main(void)
{
  enum { N = 30 };
  struct csr m = {N, malloc((N + 1) * sizeof(int)), malloc(3 * N * sizeof(int)),
                  malloc(3 * N * sizeof(double))};
  double x[N], v[N][N], g[N][N];
  int at = 0;
  for (int i = 0; i < N; i++) {
    m.ptr[i] = at;
    for (int d = -1; d <= 1; d++)
      if (i + d >= 0 && i + d < N) {
        m.col[at] = i + d;
        m.val[at++] = d == 0 ? 2 : -1;
      }
    x[i] = i * i % 17;
  }
  m.ptr[N] = at;
  for (int r = 0; r < N; r++) {
    spmv(&m, x, v[r]);
    for (int i = 0; i < N; i++) {
      x[i] = v[r][i] / 4;
      g[r][i] = 0;
    }
  }
  gram(N, v, g);
  show("g", &g[0][0], N * N);
  free(m.ptr);
  free(m.col);
  free(m.val);
  return 0;
}
