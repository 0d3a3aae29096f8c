/* Two-dimensional arrays, handed to functions that take them flat. */
#include "show.h"

enum { N = 48 };

static double A[N][N], B[N][N], C[N][N];

static void init(double *x, int count, int step)
{
  for (int i = 0; i < count; i++)
    x[i] = (i * step) % 13 - 6;
}

static void multiply(const double *a, const double *b, double *c, int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++) {
      double s = c[i * n + j];
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

int main(void)
{
  init(&A[0][0], N * N, 5);
  init((double *)B, N * N, 7);
  multiply(A[0], *B, &C[0][0], N);
  show("C", C[0], N * N);
  return 0;
}
