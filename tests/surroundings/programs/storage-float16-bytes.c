/* Bytes that are converted into floats inside of the product. */
#include <stdint.h>
#include <stdlib.h>
#include "show.h"

typedef struct {
  int8_t *q;
  float *s;
} QuantizedTensor;

static void matmul(float *xout, QuantizedTensor *x, QuantizedTensor *w, int n, int d, int group)
{
  for (int i = 0; i < d; i++) { /* => rewritten */
    float val = 0.0f;
    int in = i * n;
    for (int j = 0; j <= n - group; j += group) {
      int32_t ival = 0;
      for (int k = 0; k < group; k++)
        ival += (int32_t)x->q[j + k] * (int32_t)w->q[in + j + k];
      val += (float)ival * w->s[(in + j) / group] * x->s[j / group];
    }
    xout[i] = val;
  }
}

int main(void)
{
  int n = 64, d = 48, group = 16;
  QuantizedTensor x = {malloc(n), malloc(n / group * sizeof(float))};
  QuantizedTensor w = {malloc(n * d), malloc(n * d / group * sizeof(float))};
  float *out = malloc(d * sizeof(float));
  for (int i = 0; i < n * d; i++)
    w.q[i] = (int8_t)(i * 31 % 200 - 100);
  for (int i = 0; i < n; i++)
    x.q[i] = (int8_t)(i * 7 % 120 - 60);
  for (int i = 0; i < n * d / group; i++)
    w.s[i] = 0.01f * (float)(i % 9 + 1);
  for (int i = 0; i < n / group; i++)
    x.s[i] = 0.5f;
  matmul(out, &x, &w, n, d, group);
  show_floats("out", out, d);
  free(x.q);
  free(x.s);
  free(w.q);
  free(w.s);
  free(out);
  return 0;
}
