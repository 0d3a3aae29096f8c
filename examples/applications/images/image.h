/* Pictures of floats in planes, and of bytes with interleaved colours. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdint.h>

typedef struct {
  int width, height;
  float *pixels;
} Plane;

typedef struct {
  int width, height;
  uint8_t *rgb;
} Picture;

#define PIXEL(p, x, y) ((p)->pixels[(y) * (p)->width + (x)])
#define CHANNEL(p, x, y, c) ((p)->rgb[((y) * (p)->width + (x)) * 3 + (c)])

static inline int clamp(int v, int lo, int hi)
{
  return v < lo ? lo : v > hi ? hi : v;
}

static inline float clamped_pixel(const Plane *p, int x, int y)
{
  return PIXEL(p, clamp(x, 0, p->width - 1), clamp(y, 0, p->height - 1));
}

/* image.c */
Plane plane_new(int width, int height);
void plane_free(Plane *p);
Picture picture_new(int width, int height);
void picture_free(Picture *p);
void picture_paint(Picture *p);
double plane_mean(const Plane *p);
double plane_difference(const Plane *a, const Plane *b, int border);

/* filters.c */
int gauss_weights(float *weight, float sigma, int most);
void blur_rows(const Plane *in, Plane *out, const float *weight, int radius);
void blur_columns(const Plane *in, Plane *out, const float *weight, int radius);
void blur_direct(const Plane *in, Plane *out, const float *weight, int radius);
void box_blur(const Plane *in, Plane *out, int radius);
void unsharp(const Plane *in, const Plane *blurred, Plane *out, float amount);
void median3(const Plane *in, Plane *out);
void bilateral(const Plane *in, Plane *out, int radius, float space, float range);
void half_size(const Plane *in, Plane *out);
void scale_bilinear(const Plane *in, Plane *out);

/* edges.c */
void sobel(const Plane *in, Plane *gx, Plane *gy);
void gradient(const Plane *gx, const Plane *gy, Plane *magnitude, Plane *angle);
void thin(const Plane *magnitude, const Plane *angle, Plane *out);
int hysteresis(const Plane *in, Plane *out, float low, float high);
void harris(const Plane *gx, const Plane *gy, Plane *out, float k);

/* colour.c */
void to_grey(const Picture *in, Plane *out);
void to_bytes(const Plane *in, Picture *out);
void histogram(const Plane *in, int bins[256]);
void equalise(const Plane *in, Plane *out);
void matrix_colours(const Picture *in, Picture *out, const float m[3][3]);
unsigned checksum(const Picture *p);

#endif
