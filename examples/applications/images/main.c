/* Paints a picture and filters it in many ways; looks at what has to hold.
 *
 * usage: images [WIDTH [HEIGHT]] */
#define _POSIX_C_SOURCE 199309L

#include "image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int failures;

static void expect(int is_fine, const char *what)
{
  printf("%-44s %s\n", what, is_fine ? "ok" : "WRONG");
  failures += !is_fine;
}

static double symmetry(const Plane *p)
{
  double worst = 0;
  for (int y = 0; y < p->height; y++)
    for (int x = 0; x < p->width / 2; x++)
      worst = fmax(worst, fabs((double)PIXEL(p, x, y) - PIXEL(p, p->width - 1 - x, y)));
  return worst;
}

static void check_symmetric_input(int w, int h, const float *weight, int radius)
{
  Plane a = plane_new(w, h), b = plane_new(w, h), c = plane_new(w, h);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      PIXEL(&a, x, y) = (float)(abs(2 * x - w + 1) % 37 + y % 11);
  blur_rows(&a, &b, weight, radius);
  expect(symmetry(&b) < 1e-3, "a blurred mirror image is one");
  median3(&a, &c);
  expect(symmetry(&c) == 0, "so is the median of one");
  plane_free(&a);
  plane_free(&b);
  plane_free(&c);
}

int main(int argc, char **argv)
{
  static const float warm[3][3] = {{1.1f, 0.1f, 0}, {0, 0.9f, 0.05f}, {0, 0.05f, 0.8f}};
  int w = argc > 1 ? atoi(argv[1]) : 1024, h = argc > 2 ? atoi(argv[2]) : 768;
  float weight[33];
  int bins[256], total = 0, corners = 0, edges, radius;
  double t;

  if (w < 32 || h < 32 || w > 16384 || h > 16384)
    return 2;
  Picture picture = picture_new(w, h), result = picture_new(w, h);
  Plane grey = plane_new(w, h), a = plane_new(w, h), b = plane_new(w, h), c = plane_new(w, h);
  Plane gx = plane_new(w, h), gy = plane_new(w, h), angle = plane_new(w, h);
  Plane half = plane_new(w / 2, h / 2);

  picture_paint(&picture);
  t = now();
  matrix_colours(&picture, &result, warm);
  printf("colours: %08x\n", checksum(&result));
  to_grey(&picture, &grey);

  radius = gauss_weights(weight, 1.8f, 16);
  blur_rows(&grey, &a, weight, radius);
  blur_columns(&a, &b, weight, radius);
  blur_direct(&grey, &c, weight, radius);
  expect(plane_difference(&b, &c, radius) < 1e-2, "two passes are the blur");
  expect(fabs(plane_mean(&b) - plane_mean(&grey)) < 3.0, "a blur keeps the mean");
  box_blur(&grey, &a, 3);
  unsharp(&grey, &a, &c, 0.7f);
  to_bytes(&c, &result);
  printf("sharpened: %08x\n", checksum(&result));
  median3(&grey, &a);
  bilateral(&a, &c, 4, 2.0f, 20.0f);
  printf("denoised: mean %.4f\n", plane_mean(&c));

  sobel(&b, &gx, &gy);
  gradient(&gx, &gy, &a, &angle);
  thin(&a, &angle, &c);
  edges = hysteresis(&c, &a, 20.0f, 60.0f);
  harris(&gx, &gy, &c, 0.05f);
  for (int i = 0; i < w * h; i++)
    corners += c.pixels[i] > 1e7f;
  printf("edges: %d pixels, corners: %d pixels\n", edges, corners);
  expect(edges > w && edges < w * h / 2, "there are edges, but not everywhere");

  half_size(&b, &half);
  scale_bilinear(&half, &a);
  expect(plane_difference(&a, &b, 8) < 60.0, "small and big again is like it was");
  equalise(&grey, &c);
  histogram(&c, bins);
  for (int i = 0; i < 256; i++)
    total += bins[i];
  expect(total == w * h, "a histogram has all pixels");
  to_bytes(&c, &result);
  fprintf(stderr, "seconds %.6f\n", now() - t);
  printf("equalised: %08x\n", checksum(&result));
  check_symmetric_input(w, h, weight, radius);

  printf(failures ? "WRONG\n" : "VERIFIED\n");
  picture_free(&picture);
  picture_free(&result);
  plane_free(&grey);
  plane_free(&a);
  plane_free(&b);
  plane_free(&c);
  plane_free(&gx);
  plane_free(&gy);
  plane_free(&angle);
  plane_free(&half);
  return failures != 0;
}
