#include "image.h"

#include <string.h>

void to_grey(const Picture *in, Plane *out)
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      PIXEL(out, x, y) = 0.299f * CHANNEL(in, x, y, 0) + 0.587f * CHANNEL(in, x, y, 1)
                         + 0.114f * CHANNEL(in, x, y, 2);
}

void to_bytes(const Plane *in, Picture *out)
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      int v = (int)(PIXEL(in, x, y) + 0.5f);
      for (int c = 0; c < 3; c++)
        CHANNEL(out, x, y, c) = (uint8_t)clamp(v, 0, 255);
    }
}

void histogram(const Plane *in, int bins[256])
{
  memset(bins, 0, 256 * sizeof(int));
  for (int i = 0; i < in->width * in->height; i++)
    bins[clamp((int)in->pixels[i], 0, 255)]++;
}

void equalise(const Plane *in, Plane *out)
{
  int bins[256], sum = 0, all = in->width * in->height;
  float map[256];
  histogram(in, bins);
  for (int i = 0; i < 256; i++) {
    sum += bins[i];
    map[i] = 255.0f * (float)sum / (float)all;
  }
  for (int i = 0; i < all; i++)
    out->pixels[i] = map[clamp((int)in->pixels[i], 0, 255)];
}

void matrix_colours(const Picture *in, Picture *out, const float m[3][3])
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      for (int c = 0; c < 3; c++) {
        float v = 0.5f;
        for (int d = 0; d < 3; d++)
          v += m[c][d] * CHANNEL(in, x, y, d);
        CHANNEL(out, x, y, c) = (uint8_t)clamp((int)v, 0, 255);
      }
}

unsigned checksum(const Picture *p)
{
  unsigned sum = 1, more = 0;
  const uint8_t *at = p->rgb, *end = at + (size_t)p->width * p->height * 3;
  while (at < end) {
    sum = (sum + *at++) % 65521;
    more = (more + sum) % 65521;
  }
  return more << 16 | sum;
}
