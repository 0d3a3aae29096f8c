#include "image.h"

#include <math.h>
#include <stddef.h>

int gauss_weights(float *weight, float sigma, int most)
{
  int radius = (int)ceilf(3.0f * sigma);
  float sum = 0.0f;
  if (radius > most)
    radius = most;
  for (int i = -radius; i <= radius; i++) {
    weight[i + radius] = expf(-(float)(i * i) / (2.0f * sigma * sigma));
    sum += weight[i + radius];
  }
  for (int i = 0; i <= 2 * radius; i++)
    weight[i] /= sum;
  return radius;
}

void blur_rows(const Plane *in, Plane *out, const float *weight, int radius)
{
  int w = in->width;
  for (int y = 0; y < in->height; y++) {
    const float *row = in->pixels + y * w;
    float *to = out->pixels + y * w;
    for (int x = 0; x < w; x++) {
      float sum = 0.0f;
      for (int k = -radius; k <= radius; k++)
        sum += weight[k + radius] * row[clamp(x + k, 0, w - 1)];
      to[x] = sum;
    }
  }
}

void blur_columns(const Plane *in, Plane *out, const float *weight, int radius)
{
  for (int x = 0; x < in->width; x++)
    for (int y = 0; y < in->height; y++) {
      float sum = 0.0f;
      for (int k = -radius; k <= radius; k++)
        sum += weight[k + radius] * clamped_pixel(in, x, y + k);
      PIXEL(out, x, y) = sum;
    }
}

/* The same blur in one step, inside of the borders only. */
void blur_direct(const Plane *in, Plane *out, const float *weight, int radius)
{
  for (int y = radius; y < in->height - radius; y++)
    for (int x = radius; x < in->width - radius; x++) {
      float sum = 0.0f;
      for (int v = -radius; v <= radius; v++)
        for (int u = -radius; u <= radius; u++)
          sum += weight[u + radius] * weight[v + radius] * PIXEL(in, x + u, y + v);
      PIXEL(out, x, y) = sum;
    }
}

void box_blur(const Plane *in, Plane *out, int radius)
{
  float area = (float)((2 * radius + 1) * (2 * radius + 1));
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      float sum = 0.0f;
      for (int v = -radius; v <= radius; v++)
        for (int u = -radius; u <= radius; u++)
          sum += clamped_pixel(in, x + u, y + v);
      PIXEL(out, x, y) = sum / area;
    }
}

void unsharp(const Plane *in, const Plane *blurred, Plane *out, float amount)
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      float v = PIXEL(in, x, y) + amount * (PIXEL(in, x, y) - PIXEL(blurred, x, y));
      PIXEL(out, x, y) = v < 0 ? 0 : v > 255 ? 255 : v;
    }
}

static void sort2(float *a, float *b)
{
  if (*a > *b) {
    float t = *a;
    *a = *b;
    *b = t;
  }
}

void median3(const Plane *in, Plane *out)
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      float v[9];
      int n = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          v[n++] = clamped_pixel(in, x + dx, y + dy);
      for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
          sort2(&v[i], &v[j]);
      PIXEL(out, x, y) = v[4];
    }
}

void bilateral(const Plane *in, Plane *out, int radius, float space, float range)
{
  float near[2 * 8 + 1][2 * 8 + 1];
  if (radius > 8)
    radius = 8;
  for (int v = -radius; v <= radius; v++)
    for (int u = -radius; u <= radius; u++)
      near[v + radius][u + radius] = expf(-(float)(u * u + v * v) / (2 * space * space));
  for (int y = radius; y < in->height - radius; y++)
    for (int x = radius; x < in->width - radius; x++) {
      float centre = PIXEL(in, x, y), sum = 0.0f, all = 0.0f;
      for (int v = -radius; v <= radius; v++)
        for (int u = -radius; u <= radius; u++) {
          float p = PIXEL(in, x + u, y + v), d = p - centre;
          float weight = near[v + radius][u + radius] / (1.0f + d * d / (range * range));
          sum += weight * p;
          all += weight;
        }
      PIXEL(out, x, y) = sum / all;
    }
}

void half_size(const Plane *in, Plane *out)
{
  for (int y = 0; y < out->height; y++)
    for (int x = 0; x < out->width; x++)
      PIXEL(out, x, y) = 0.25f * (PIXEL(in, 2 * x, 2 * y) + PIXEL(in, 2 * x + 1, 2 * y)
                                  + PIXEL(in, 2 * x, 2 * y + 1)
                                  + PIXEL(in, 2 * x + 1, 2 * y + 1));
}

void scale_bilinear(const Plane *in, Plane *out)
{
  for (int y = 0; y < out->height; y++)
    for (int x = 0; x < out->width; x++) {
      float sx = (float)x * (in->width - 1) / (out->width - 1);
      float sy = (float)y * (in->height - 1) / (out->height - 1);
      int x0 = (int)sx, y0 = (int)sy;
      float fx = sx - x0, fy = sy - y0;
      PIXEL(out, x, y) = (1 - fy) * ((1 - fx) * clamped_pixel(in, x0, y0)
                                     + fx * clamped_pixel(in, x0 + 1, y0))
                         + fy * ((1 - fx) * clamped_pixel(in, x0, y0 + 1)
                                 + fx * clamped_pixel(in, x0 + 1, y0 + 1));
    }
}
