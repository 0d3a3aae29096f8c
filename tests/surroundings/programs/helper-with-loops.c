/* Helpers that hold the inner loops. */
#include <stdlib.h>
#include "show.h"

static double dot(int n, const double *x, const double *y)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

static void axpy(int n, double alpha, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] += alpha * x[i];
}

static void gram(int n, int m, const double *v, double *g)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      g[i * n + j] = dot(m, v + i * m, v + j * m);
}

static void combine(int n, int m, const double *g, const double *v, double *out)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      axpy(m, g[i * n + j], v + j * m, out + i * m);
}

int main(void)
{
  int n = 25, m = 40;
  double *v = malloc(n * m * 8), *g = malloc(n * n * 8), *out = calloc(n * m, 8);
  for (int i = 0; i < n * m; i++)
    v[i] = i % 9 - 3;
  gram(n, m, v, g);
  combine(n, m, g, v, out);
  show("g", g, n * n);
  show("out", out, n * m);
  free(v);
  free(g);
  free(out);
  return 0;
}
