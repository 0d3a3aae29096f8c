/* Definitions in the manner of the seventies. */
#include "show.h"

static void update(n, m, x, y, a)
  int n, m;
  double *x, *y, *a;
{
  int i, j, t;
  for (t = 0; t < m; t++) /* => rewritten */
    for (j = 0; j < n; j++)
      for (i = 0; i < n; i++)
        a[i * n + j] = a[i * n + j] * 0.5 + x[i] * y[j];
}

int main()
{
  static double x[32], y[32], a[32 * 32];
  int i;
  for (i = 0; i < 32; i++) {
    x[i] = i % 5;
    y[i] = 1.0 / (i + 1);
  }
  update(32, 6, x, y, a);
  show("a", a, 1024);
  return 0;
}
