/* A blur whose borders are clamped by a static helper, on flat arrays. */
#include <stdlib.h>
#include "show.h"

typedef struct {
  int w, h;
  float *data;
} image;

static int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }

static float pixel(const image *im, int x, int y)
{
  x = clamp(x, 0, im->w - 1);
  y = clamp(y, 0, im->h - 1);
  return im->data[y * im->w + x];
}

static void blur(const image *in, image *out, int r)
{
  for (int y = 0; y < in->h; y++) /* => rewritten */
    for (int x = 0; x < in->w; x++) {
      float sum = 0;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
          sum += pixel(in, x + dx, y + dy);
      out->data[y * out->w + x] = sum / ((2 * r + 1) * (2 * r + 1));
    }
}

int main(void)
{
  image a = {37, 26, malloc(37 * 26 * sizeof(float))}, b = {37, 26, malloc(37 * 26 * sizeof(float))};
  for (int i = 0; i < 37 * 26; i++)
    a.data[i] = (float)(i * 11 % 200);
  blur(&a, &b, 2);
  show_floats("b", b.data, 37 * 26);
  free(a.data);
  free(b.data);
  return 0;
}
