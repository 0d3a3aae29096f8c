/* Early returns in front of nests and inside of searches. */
#include <stdlib.h>
#include "show.h"

static int has_zero_diagonal(int n, const double *a)
{
  for (int i = 0; i < n; i++)
    if (a[i * n + i] == 0)
      return 1;
  return 0;
}

static int cholesky(int n, double *a)
{
  if (n <= 0 || a == NULL)
    return -1;
  if (has_zero_diagonal(n, a))
    return -2;
  for (int k = 0; k < n; k++) {
    if (a[k * n + k] <= 0)
      return k + 1;
    for (int i = k + 1; i < n; i++)
      a[i * n + k] /= a[k * n + k];
    for (int i = k + 1; i < n; i++) /* => rewritten */
      for (int j = k + 1; j <= i; j++)
        a[i * n + j] -= a[i * n + k] * a[j * n + k] * a[k * n + k];
  }
  return 0;
}

int main(void)
{
  int n = 33;
  double *a = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = i == j ? n + i : 1.0 / (1 + abs(i - j));
  printf("%d\n", cholesky(n, a));
  show("a", a, n * n);
  free(a);
  return 0;
}
