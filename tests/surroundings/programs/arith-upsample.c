/* Subscripts with quotients: nearest neighbours of a bigger image. */
#include <stdlib.h>
#include "show.h"

static void upsample(const float *in, int w, int h, int c, int stride, float scale, float *out)
{
  for (int k = 0; k < c; ++k) /* => either */
    for (int j = 0; j < h * stride; ++j)
      for (int i = 0; i < w * stride; ++i)
        out[k * w * h * stride * stride + j * w * stride + i]
            = scale * in[k * w * h + (j / stride) * w + i / stride];
}

static void pyramid(double (*big)[32], double (*small)[16], int times)
{
  for (int t = 0; t < times; t++) /* => rewritten */
    for (int j = 0; j < 32; j++)
      for (int i = 0; i < 32; i++)
        small[i / 2][j / 2] += 0.25 * big[i][j] * (t + 1);
}

int main(void)
{
  int w = 11, h = 9, c = 3, stride = 2;
  float *in = malloc(w * h * c * 4), *out = malloc(w * h * c * 4 * 4);
  static double big[32][32], small[16][16];
  for (int i = 0; i < w * h * c; i++)
    in[i] = (float)(i % 50);
  for (int i = 0; i < 32 * 32; i++)
    big[i / 32][i % 32] = i % 31;
  upsample(in, w, h, c, stride, 0.5f, out);
  pyramid(big, small, 5);
  show_floats("out", out, w * h * c * 4);
  show("small", &small[0][0], 256);
  free(in);
  free(out);
  return 0;
}
