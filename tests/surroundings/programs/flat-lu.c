/* LU in place on a flat array. */
#include <stdlib.h>
#include "show.h"

static void lu(double *a, int n)
{
  for (int k = 0; k < n; k++) { /* => rewritten */
    for (int i = k + 1; i < n; i++)
      a[i * n + k] /= a[k * n + k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
  }
}

int main(void)
{
  int n = 42;
  double *a = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = 1.0 / (i + j + 1) + (i == j ? n : 0);
  lu(a, n);
  show("a", a, n * n);
  free(a);
  return 0;
}
