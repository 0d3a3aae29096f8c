/* uint32_t sizes, int64_t counters, casts in the subscripts. */
#include <stdint.h>
#include <stdlib.h>
#include "show.h"

void product(uint32_t n, double *c, const double *a, const double *b)
{
  for (int64_t i = 0; i < (int64_t)n; i++) /* => rewritten */
    for (int64_t k = 0; k < (int64_t)n; k++)
      for (int64_t j = 0; j < (int64_t)n; j++)
        c[(int64_t)n * i + j] += a[(int64_t)n * i + k] * b[(int64_t)n * k + j];
}

int main(void)
{
  uint32_t n = 35;
  double *a = malloc(n * n * sizeof(double)), *b = malloc(n * n * sizeof(double));
  double *c = calloc(n * n, sizeof(double));
  for (uint32_t i = 0; i < n * n; i++) {
    a[i] = i % 9 - 4.5;
    b[i] = i % 14;
  }
  product(n, c, a, b);
  show("c", c, n * n);
  free(a);
  free(b);
  free(c);
  return 0;
}
