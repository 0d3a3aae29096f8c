/* goto for the errors, as in kernels of other kinds. */
#include <stdlib.h>
#include "show.h"

static int run(int n)
{
  int status = -1;
  double *a = NULL, *b = NULL, *c = NULL;
  if (!(a = malloc(sizeof(double) * n * n)))
    goto out;
  if (!(b = malloc(sizeof(double) * n * n)))
    goto out;
  if (!(c = calloc(n * n, sizeof(double))))
    goto out;
  for (int i = 0; i < n * n; i++) {
    a[i] = i % 9;
    b[i] = i % 8;
  }
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  show("c", c, n * n);
  status = 0;
out:
  free(a);
  free(b);
  free(c);
  return status;
}

int main(void)
{
  return run(32) != 0;
}
