/* double **, each row of its own allocation. */
#include <stdlib.h>
#include "show.h"

static double **new_matrix(int rows, int cols)
{
  double **m = malloc(rows * sizeof *m);
  for (int i = 0; i < rows; i++)
    m[i] = calloc(cols, sizeof **m);
  return m;
}

static void free_matrix(double **m, int rows)
{
  while (rows-- > 0)
    free(m[rows]);
  free(m);
}

static void multiply(int n, double **a, double **b, double **c)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
  int n = 34;
  double **a = new_matrix(n, n), **b = new_matrix(n, n), **c = new_matrix(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = (i - j) * 0.5;
      b[i][j] = (i + j) % 4;
    }
  multiply(n, a, b, c);
  for (int i = 0; i < n; i += 11)
    show("row", c[i], n);
  free_matrix(a, n);
  free_matrix(b, n);
  free_matrix(c, n);
  return 0;
}
