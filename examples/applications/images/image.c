#include "image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void *allocated(size_t bytes)
{
  void *p = calloc(1, bytes);
  if (p == NULL) {
    fprintf(stderr, "out of memory\n");
    exit(2);
  }
  return p;
}

Plane plane_new(int width, int height)
{
  return (Plane){width, height, allocated((size_t)width * height * sizeof(float))};
}

void plane_free(Plane *p)
{
  free(p->pixels);
  p->pixels = NULL;
}

Picture picture_new(int width, int height)
{
  return (Picture){width, height, allocated((size_t)width * height * 3)};
}

void picture_free(Picture *p)
{
  free(p->rgb);
  p->rgb = NULL;
}

/* Stripes, a disc, a ramp, and a little noise. */
void picture_paint(Picture *p)
{
  unsigned seed = 42;
  int w = p->width, h = p->height;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int dx = x - w / 2, dy = y - h / 2, noise;
      int disc = dx * dx + dy * dy < h * h / 9;
      seed = seed * 1664525u + 1013904223u;
      noise = (int)(seed >> 28);
      CHANNEL(p, x, y, 0) = (uint8_t)(disc ? 220 - noise : 40 + 100 * x / w + noise);
      CHANNEL(p, x, y, 1) = (uint8_t)((x / 8 + y / 8) % 2 ? 180 - noise : 60 + noise);
      CHANNEL(p, x, y, 2) = (uint8_t)(200 * y / h + noise);
    }
}

double plane_mean(const Plane *p)
{
  double sum = 0.0;
  for (int i = 0; i < p->width * p->height; i++)
    sum += p->pixels[i];
  return sum / ((double)p->width * p->height);
}

double plane_difference(const Plane *a, const Plane *b, int border)
{
  double worst = 0.0;
  for (int y = border; y < a->height - border; y++)
    for (int x = border; x < a->width - border; x++) {
      double d = fabs((double)PIXEL(a, x, y) - PIXEL(b, x, y));
      if (d > worst)
        worst = d;
    }
  return worst;
}
