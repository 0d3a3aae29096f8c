#include "fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TWO_PI 6.28318530717958647692

static int reverse(int x, int bits)
{
  int r = 0;
  while (bits-- > 0) {
    r = r << 1 | (x & 1);
    x >>= 1;
  }
  return r;
}

int plan_create(Plan *p, int log)
{
  p->log = log;
  p->n = 1 << log;
  p->reversed = malloc(p->n * sizeof(int));
  p->cosine = malloc((p->n / 2 + 1) * sizeof(double));
  p->sine = malloc((p->n / 2 + 1) * sizeof(double));
  if (!p->reversed || !p->cosine || !p->sine) {
    plan_destroy(p);
    return -1;
  }
  for (int i = 0; i < p->n; i++)
    p->reversed[i] = reverse(i, log);
  for (int i = 0; i < p->n / 2; i++) {
    p->cosine[i] = cos(TWO_PI * i / p->n);
    p->sine[i] = sin(TWO_PI * i / p->n);
  }
  return 0;
}

void plan_destroy(Plan *p)
{
  free(p->reversed);
  free(p->cosine);
  free(p->sine);
  memset(p, 0, sizeof *p);
}

/* In place; sign is -1 forwards and 1 backwards, which is not scaled. */
void transform(const Plan *p, double *re, double *im, int sign)
{
  int n = p->n;
  for (int i = 0; i < n; i++) {
    int j = p->reversed[i];
    if (i < j) {
      double t = re[i];
      re[i] = re[j];
      re[j] = t;
      t = im[i];
      im[i] = im[j];
      im[j] = t;
    }
  }
  for (int half = 1, step = n / 2; half < n; half *= 2, step /= 2)
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; k++) {
        double c = p->cosine[k * step], s = sign * p->sine[k * step];
        int a = start + k, b = a + half;
        double tr = c * re[b] - s * im[b], ti = c * im[b] + s * re[b];
        re[b] = re[a] - tr;
        im[b] = im[a] - ti;
        re[a] += tr;
        im[a] += ti;
      }
}

/* By definition. */
void slow_transform(int n, const double *re, const double *im, double *out_re, double *out_im,
                    int sign)
{
  double *c = malloc(n * sizeof *c), *s = malloc(n * sizeof *s);
  if (!c || !s)
    exit(2);
  for (int i = 0; i < n; i++) {
    c[i] = cos(TWO_PI * i / n);
    s[i] = sign * sin(TWO_PI * i / n);
  }
  for (int k = 0; k < n; k++) {
    double sr = 0.0, si = 0.0;
    for (int t = 0; t < n; t++) {
      int at = (int)((long)k * t % n);
      sr += re[t] * c[at] - im[t] * s[at];
      si += re[t] * s[at] + im[t] * c[at];
    }
    out_re[k] = sr;
    out_im[k] = si;
  }
  free(c);
  free(s);
}

/* The cyclic convolution of two real signals: they are the two parts of one complex signal. */
void convolve(const Plan *p, double *x, double *y, double *out)
{
  int n = p->n;
  double *re = malloc(n * sizeof *re), *im = malloc(n * sizeof *im);
  if (!re || !im)
    exit(2);
  transform(p, x, y, -1);
  for (int i = 0; i < n; i++) {
    int j = (n - i) % n;
    double ar = 0.5 * (x[i] + x[j]), ai = 0.5 * (y[i] - y[j]);
    double br = 0.5 * (y[i] + y[j]), bi = 0.5 * (x[j] - x[i]);
    re[i] = (ar * br - ai * bi) / n;
    im[i] = (ar * bi + ai * br) / n;
  }
  transform(p, re, im, 1);
  memcpy(out, re, n * sizeof *out);
  free(re);
  free(im);
}
