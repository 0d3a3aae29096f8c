/* Sizes that are short and counters that are int: small images. */
#include <stdlib.h>
#include "show.h"

static void sharpen(short w, short h, const float *in, float *out, int rounds)
{
  for (int r = 0; r < rounds; r++) { /* => rewritten */
    for (int y = 1; y < h - 1; y++)
      for (int x = 1; x < w - 1; x++)
        out[y * w + x] += 0.5f * (4 * in[y * w + x] - in[(y - 1) * w + x] - in[(y + 1) * w + x]
                                  - in[y * w + x - 1] - in[y * w + x + 1]);
  }
}

int main(void)
{
  short w = 40, h = 30;
  float *in = malloc(sizeof(float) * w * h), *out = calloc(w * h, sizeof(float));
  for (int i = 0; i < w * h; i++)
    in[i] = (float)((i * 37) % 256);
  sharpen(w, h, in, out, 4);
  show_floats("out", out, w * h);
  free(in);
  free(out);
  return 0;
}
