/* Means and variances over a batch, flat, then a normalisation. */
#include <math.h>
#include <stdlib.h>
#include "show.h"

static void batch_norm(const float *x, float *y, float *mean, float *var, int batch, int filters,
                       int spatial)
{
  float scale = 1.f / (batch * spatial);
  for (int i = 0; i < filters; ++i) { /* => either */
    mean[i] = 0;
    for (int j = 0; j < batch; ++j)
      for (int k = 0; k < spatial; ++k)
        mean[i] += x[j * filters * spatial + i * spatial + k];
    mean[i] *= scale;
    var[i] = 0;
    for (int j = 0; j < batch; ++j)
      for (int k = 0; k < spatial; ++k) {
        float d = x[j * filters * spatial + i * spatial + k] - mean[i];
        var[i] += d * d;
      }
    var[i] *= scale;
  }
  for (int b = 0; b < batch; ++b) /* => either */
    for (int f = 0; f < filters; ++f)
      for (int i = 0; i < spatial; ++i) {
        int index = b * filters * spatial + f * spatial + i;
        y[index] = (x[index] - mean[f]) / (sqrtf(var[f]) + .000001f);
      }
}

int main(void)
{
  int batch = 3, filters = 8, spatial = 25, all = batch * filters * spatial;
  float *x = malloc(all * 4), *y = malloc(all * 4), mean[8], var[8];
  for (int i = 0; i < all; i++)
    x[i] = (float)(i * 17 % 41);
  batch_norm(x, y, mean, var, batch, filters, spatial);
  show_floats("y", y, all);
  free(x);
  free(y);
  return 0;
}
