/* The same product with size_t everywhere. */
#include <stddef.h>
#include <stdlib.h>
#include "show.h"

void gemm(size_t n, float *restrict c, const float *restrict a, const float *restrict b)
{
  for (size_t i = 0; i < n; i++) /* => rewritten */
    for (size_t j = 0; j < n; j++) {
      float sum = 0;
      for (size_t k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

int main(void)
{
  size_t n = 41;
  float *a = malloc(n * n * sizeof(float)), *b = malloc(n * n * sizeof(float));
  float *c = malloc(n * n * sizeof(float));
  for (size_t i = 0; i < n * n; i++) {
    a[i] = (float)(i % 19) / 8;
    b[i] = (float)(i % 23) - 10;
  }
  gemm(n, c, a, b);
  show_floats("c", c, (long)(n * n));
  free(a);
  free(b);
  free(c);
  return 0;
}
