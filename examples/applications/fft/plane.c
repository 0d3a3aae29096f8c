#include "fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int plane_create(Plane *p, int n)
{
  p->n = n;
  p->re = calloc((size_t)n * n, sizeof(double));
  p->im = calloc((size_t)n * n, sizeof(double));
  return p->re && p->im ? 0 : -1;
}

void plane_destroy(Plane *p)
{
  free(p->re);
  free(p->im);
  p->re = p->im = NULL;
}

void plane_copy(const Plane *from, Plane *to)
{
  memcpy(to->re, from->re, (size_t)from->n * from->n * sizeof(double));
  memcpy(to->im, from->im, (size_t)from->n * from->n * sizeof(double));
}

void plane_transpose(Plane *p)
{
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < i; j++) {
      double t = AT(p, re, i, j);
      AT(p, re, i, j) = AT(p, re, j, i);
      AT(p, re, j, i) = t;
      t = AT(p, im, i, j);
      AT(p, im, i, j) = AT(p, im, j, i);
      AT(p, im, j, i) = t;
    }
}

static void transform_rows(const Plan *plan, Plane *p, int sign)
{
  for (int i = 0; i < p->n; i++)
    transform(plan, p->re + i * p->n, p->im + i * p->n, sign);
}

void plane_transform(const Plan *plan, Plane *p, int sign)
{
  transform_rows(plan, p, sign);
  plane_transpose(p);
  transform_rows(plan, p, sign);
  plane_transpose(p);
  if (sign > 0) {
    double scale = 1.0 / ((double)p->n * p->n);
    for (int i = 0; i < p->n * p->n; i++) {
      p->re[i] *= scale;
      p->im[i] *= scale;
    }
  }
}

/* All columns at once: each butterfly is one of whole rows. */
void plane_transform_columns(const Plan *plan, Plane *p, int sign)
{
  int n = p->n;
  for (int i = 0; i < n; i++) {
    int r = plan->reversed[i];
    if (i < r)
      for (int j = 0; j < n; j++) {
        double t = AT(p, re, i, j);
        AT(p, re, i, j) = AT(p, re, r, j);
        AT(p, re, r, j) = t;
        t = AT(p, im, i, j);
        AT(p, im, i, j) = AT(p, im, r, j);
        AT(p, im, r, j) = t;
      }
  }
  for (int half = 1, step = n / 2; half < n; half *= 2, step /= 2)
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; k++) {
        double c = plan->cosine[k * step], s = sign * plan->sine[k * step];
        double *ar = &AT(p, re, start + k, 0), *ai = &AT(p, im, start + k, 0);
        double *br = &AT(p, re, start + k + half, 0), *bi = &AT(p, im, start + k + half, 0);
        for (int j = 0; j < n; j++) {
          double tr = c * br[j] - s * bi[j], ti = c * bi[j] + s * br[j];
          br[j] = ar[j] - tr;
          bi[j] = ai[j] - ti;
          ar[j] += tr;
          ai[j] += ti;
        }
      }
}

double plane_energy(const Plane *p)
{
  double sum = 0.0;
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++)
      sum += AT(p, re, i, j) * AT(p, re, i, j) + AT(p, im, i, j) * AT(p, im, i, j);
  return sum;
}

double plane_difference(const Plane *a, const Plane *b)
{
  double worst = 0.0;
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < a->n; j++) {
      double d = fabs(AT(a, re, i, j) - AT(b, re, i, j))
                 + fabs(AT(a, im, i, j) - AT(b, im, i, j));
      if (d > worst)
        worst = d;
    }
  return worst;
}
