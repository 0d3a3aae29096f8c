/* Three interleaved channels a pixel, rows behind each other with a stride. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct image {
  int width, height, stride;
  uint8_t *pixels;
};

static void blur(const struct image *src, struct image *dst)
{
  for (int y = 2; y < src->height - 2; y++) /* => rewritten */
    for (int x = 2; x < src->width - 2; x++)
      for (int c = 0; c < 3; c++) {
        int sum = 0;
        for (int v = -2; v <= 2; v++)
          for (int u = -2; u <= 2; u++)
            sum += src->pixels[(y + v) * src->stride + (x + u) * 3 + c];
        dst->pixels[y * dst->stride + x * 3 + c] = (uint8_t)(sum / 25);
      }
}

int main(void)
{
  struct image a = {33, 22, 33 * 3 + 5, NULL}, b = a;
  a.pixels = malloc((size_t)a.stride * a.height);
  b.pixels = calloc((size_t)b.stride, b.height);
  for (int i = 0; i < a.stride * a.height; i++)
    a.pixels[i] = (uint8_t)(i * 73 >> 2);
  blur(&a, &b);
  unsigned long sum = 0;
  for (int i = 0; i < b.stride * b.height; i++)
    sum = sum * 31 + b.pixels[i];
  printf("%lu\n", sum);
  free(a.pixels);
  free(b.pixels);
  return 0;
}
