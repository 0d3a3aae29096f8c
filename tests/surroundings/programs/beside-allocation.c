/* Buffers are allocated and freed around the nests. */
#include <stdlib.h>
#include <string.h>
#include "show.h"

static int multiply_with_copy(int n, double *c, const double *a, const double *b)
{
  double *bt = malloc((size_t)n * n * sizeof *bt);
  if (bt == NULL) {
    fprintf(stderr, "out of memory\n");
    return -1;
  }
  memset(c, 0, (size_t)n * n * sizeof *c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      bt[j * n + i] = b[i * n + j];
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * bt[j * n + k];
  free(bt);
  return 0;
}

int main(void)
{
  int n = 35;
  double *m = malloc(3 * (size_t)n * n * sizeof *m);
  for (int i = 0; i < 2 * n * n; i++)
    m[i] = i % 21 / 4.0;
  if (multiply_with_copy(n, m + 2 * n * n, m, m + n * n))
    return 1;
  show("c", m + 2 * n * n, n * n);
  free(m);
  return 0;
}
