/* A convolution whose padding is a condition on the subscripts. */
#include <stdlib.h>
#include "show.h"

static float value(const float *im, int height, int width, int row, int col, int channel, int pad)
{
  row -= pad;
  col -= pad;
  if (row < 0 || col < 0 || row >= height || col >= width)
    return 0;
  return im[col + width * (row + height * channel)];
}

static void convolve(const float *im, int channels, int height, int width, const float *weight,
                     int filters, int ksize, int pad, float *out)
{
  for (int f = 0; f < filters; ++f) /* => rewritten */
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        float sum = 0;
        for (int c = 0; c < channels; ++c)
          for (int i = 0; i < ksize; ++i)
            for (int j = 0; j < ksize; ++j)
              sum += weight[((f * channels + c) * ksize + i) * ksize + j]
                     * value(im, height, width, y + i, x + j, c, pad);
        out[(f * height + y) * width + x] = sum;
      }
}

int main(void)
{
  int channels = 3, height = 13, width = 14, filters = 4, ksize = 3;
  float *im = malloc(channels * height * width * sizeof(float));
  float *weight = malloc(filters * channels * 9 * sizeof(float));
  float *out = malloc(filters * height * width * sizeof(float));
  for (int i = 0; i < channels * height * width; i++)
    im[i] = (float)(i % 21) / 21;
  for (int i = 0; i < filters * channels * 9; i++)
    weight[i] = (float)(i % 7) / 7 - 0.4f;
  convolve(im, channels, height, width, weight, filters, ksize, 1, out);
  show_floats("out", out, filters * height * width);
  free(im);
  free(weight);
  free(out);
  return 0;
}
