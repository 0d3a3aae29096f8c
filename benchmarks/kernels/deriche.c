/* deriche: Deriche's recursive smoothing of an image in float: along each direction a convolution
 * with S(d) = k*(alpha*|d| + 1)*exp(-alpha*|d|), as a causal (y1) plus an anticausal (y2) second-
 * order recursion. */
#include "bench.h"

#ifndef W
#define W BENCH_SIZE(9, 100, 320, 4096)
#endif
#ifndef H
#define H BENCH_SIZE(8, 80, 240, 2160)
#endif

static void init(int w, int h, float image[w][h])
{
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++)
      image[i][j] = (float)bench_unit('i', i, j);
}

__attribute__((noinline))
static void kernel_deriche(int w, int h, float alpha, float image[w][h], float out[w][h],
                           float y1[w][h], float y2[w][h])
{
  int i, j;
  float k, a1, a2, a3, a4, b1, b2, xm1, ym1, ym2, xp1, xp2, yp1, yp2;

#pragma scop
  k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha)) /
      (1.0f + 2.0f * alpha * expf(-alpha) - expf(-2.0f * alpha));
  a1 = k;
  a2 = k * expf(-alpha) * (alpha - 1.0f);
  a3 = k * expf(-alpha) * (alpha + 1.0f);
  a4 = -k * expf(-2.0f * alpha);
  b1 = 2.0f * expf(-alpha);
  b2 = -expf(-2.0f * alpha);

  for (i = 0; i < w; i++) {
    xm1 = 0.0f;
    ym1 = 0.0f;
    ym2 = 0.0f;
    for (j = 0; j < h; j++) {
      y1[i][j] = a1 * image[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = image[i][j];
      ym2 = ym1;
      ym1 = y1[i][j];
    }
  }
  for (i = 0; i < w; i++) {
    xp1 = 0.0f;
    xp2 = 0.0f;
    yp1 = 0.0f;
    yp2 = 0.0f;
    for (j = h - 1; j >= 0; j--) {
      y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = image[i][j];
      yp2 = yp1;
      yp1 = y2[i][j];
    }
  }
  for (i = 0; i < w; i++)
    for (j = 0; j < h; j++)
      out[i][j] = y1[i][j] + y2[i][j];

  for (j = 0; j < h; j++) {
    xm1 = 0.0f;
    ym1 = 0.0f;
    ym2 = 0.0f;
    for (i = 0; i < w; i++) {
      y1[i][j] = a1 * out[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = out[i][j];
      ym2 = ym1;
      ym1 = y1[i][j];
    }
  }
  for (j = 0; j < h; j++) {
    xp1 = 0.0f;
    xp2 = 0.0f;
    yp1 = 0.0f;
    yp2 = 0.0f;
    for (i = w - 1; i >= 0; i--) {
      y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = out[i][j];
      yp2 = yp1;
      yp1 = y2[i][j];
    }
  }
  for (i = 0; i < w; i++)
    for (j = 0; j < h; j++)
      out[i][j] = y1[i][j] + y2[i][j];
#pragma endscop
}

static void dump(int w, int h, float out[w][h])
{
  bench_dump("out", 'f', out, 2, w, h);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int w = W, h = H;
  float alpha = 0.25f;
  float (*image)[h] = bench_alloc(sizeof(float[w][h]));
  float (*out)[h] = bench_alloc(sizeof(float[w][h]));
  float (*y1)[h] = bench_alloc(sizeof(float[w][h]));
  float (*y2)[h] = bench_alloc(sizeof(float[w][h]));

  while (bench_again(&bench)) {
    init(w, h, image);
    if (bench_inputs(&bench)) {
      bench_dump("in.alpha", 'f', &alpha, 0);
      bench_dump("in.image", 'f', image, 2, w, h);
    }
    bench_start(&bench);
    kernel_deriche(w, h, alpha, image, out, y1, y2);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(w, h, out);
  free(image);
  free(out);
  free(y1);
  free(y2);
  return 0;
}
