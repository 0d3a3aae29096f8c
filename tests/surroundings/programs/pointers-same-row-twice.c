/* Rows that are the same row: what is assumed must be tested, or the result is wrong. */
#include "show.h"

static void accumulate(int n, double **a, double **c)
{
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * c[i][j - 1];
}

static void square(int n, double (*m)[n], double (*out)[n])
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        out[i][j] += m[i][k] * m[k][j];
}

int main(void)
{
  double m[12][12], out[12][12] = {{0}};
  double *a[12], *c[12];
  for (int i = 0; i < 12; i++) {
    a[i] = m[i];
    c[i] = out[i];
    for (int j = 0; j < 12; j++)
      m[i][j] = (i + 3 * j) % 5 * 0.125;
    out[i][0] = 1;
  }
  accumulate(12, a, c);
  square(12, m, out);
  show("out", &out[0][0], 144);
  return 0;
}
