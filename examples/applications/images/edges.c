#include "image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sobel(const Plane *in, Plane *gx, Plane *gy)
{
  static const float k[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  for (int y = 1; y < in->height - 1; y++)
    for (int x = 1; x < in->width - 1; x++) {
      float sx = 0.0f, sy = 0.0f;
      for (int v = 0; v < 3; v++)
        for (int u = 0; u < 3; u++) {
          float p = PIXEL(in, x + u - 1, y + v - 1);
          sx += k[v][u] * p;
          sy += k[u][v] * p;
        }
      PIXEL(gx, x, y) = sx;
      PIXEL(gy, x, y) = sy;
    }
}

void gradient(const Plane *gx, const Plane *gy, Plane *magnitude, Plane *angle)
{
  for (int y = 0; y < gx->height; y++)
    for (int x = 0; x < gx->width; x++) {
      float a = PIXEL(gx, x, y), b = PIXEL(gy, x, y);
      PIXEL(magnitude, x, y) = sqrtf(a * a + b * b);
      PIXEL(angle, x, y) = atan2f(b, a);
    }
}

/* Only what is larger than both neighbours along the gradient stays. */
void thin(const Plane *magnitude, const Plane *angle, Plane *out)
{
  for (int y = 1; y < out->height - 1; y++)
    for (int x = 1; x < out->width - 1; x++) {
      float a = PIXEL(angle, x, y), m = PIXEL(magnitude, x, y), one, other;
      int sector = (int)floorf(a * 4.0f / 3.14159265f + 0.5f) & 3;
      if (sector == 0) {
        one = PIXEL(magnitude, x - 1, y);
        other = PIXEL(magnitude, x + 1, y);
      } else if (sector == 1) {
        one = PIXEL(magnitude, x - 1, y - 1);
        other = PIXEL(magnitude, x + 1, y + 1);
      } else if (sector == 2) {
        one = PIXEL(magnitude, x, y - 1);
        other = PIXEL(magnitude, x, y + 1);
      } else {
        one = PIXEL(magnitude, x + 1, y - 1);
        other = PIXEL(magnitude, x - 1, y + 1);
      }
      PIXEL(out, x, y) = m >= one && m >= other ? m : 0.0f;
    }
}

/* Strong edges, and the weak ones that hang on them, by a stack. */
int hysteresis(const Plane *in, Plane *out, float low, float high)
{
  int w = in->width, h = in->height, top = 0, count = 0;
  int *stack = malloc((size_t)w * h * sizeof(int));
  if (stack == NULL)
    return -1;
  memset(out->pixels, 0, (size_t)w * h * sizeof(float));
  for (int i = 0; i < w * h; i++)
    if (in->pixels[i] >= high) {
      out->pixels[i] = 255;
      stack[top++] = i;
    }
  while (top > 0) {
    int at = stack[--top], x = at % w, y = at / w;
    count++;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int nx = x + dx, ny = y + dy;
        if (nx < 0 || ny < 0 || nx >= w || ny >= h)
          continue;
        if (PIXEL(in, nx, ny) >= low && PIXEL(out, nx, ny) == 0) {
          PIXEL(out, nx, ny) = 255;
          stack[top++] = ny * w + nx;
        }
      }
  }
  free(stack);
  return count;
}

/* Corners by Harris, with windows of 5 by 5. */
void harris(const Plane *gx, const Plane *gy, Plane *out, float k)
{
  for (int y = 2; y < out->height - 2; y++)
    for (int x = 2; x < out->width - 2; x++) {
      float xx = 0.0f, yy = 0.0f, xy = 0.0f;
      for (int v = -2; v <= 2; v++)
        for (int u = -2; u <= 2; u++) {
          float a = PIXEL(gx, x + u, y + v), b = PIXEL(gy, x + u, y + v);
          xx += a * a;
          yy += b * b;
          xy += a * b;
        }
      PIXEL(out, x, y) = xx * yy - xy * xy - k * (xx + yy) * (xx + yy);
    }
}
