/* Edges of an image, saturated into eight bits by conditionals. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void sobel(const uint8_t *in, uint8_t *out, int w, int h)
{
  for (int y = 1; y < h - 1; y++) /* => rewritten */
    for (int x = 1; x < w - 1; x++) {
      int gx = 0, gy = 0;
      static const int k[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
      for (int v = 0; v < 3; v++)
        for (int u = 0; u < 3; u++) {
          int p = in[(y + v - 1) * w + x + u - 1];
          gx += k[v][u] * p;
          gy += k[u][v] * p;
        }
      int m = abs(gx) + abs(gy);
      if (m > 255)
        m = 255;
      out[y * w + x] = (uint8_t)m;
    }
}

int main(void)
{
  int w = 50, h = 40;
  uint8_t *in = malloc(w * h), *out = calloc(w, h);
  for (int i = 0; i < w * h; i++)
    in[i] = (uint8_t)((i / 3) * 5 ^ i);
  sobel(in, out, w, h);
  unsigned sum = 0;
  for (int i = 0; i < w * h; i++)
    sum = sum * 31 + out[i];
  printf("%u\n", sum);
  free(in);
  free(out);
  return 0;
}
