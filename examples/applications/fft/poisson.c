/* Equations on a periodic square of side 2 pi, solved by transforms. */
#include "fft.h"

#include <math.h>
#include <stdlib.h>

#define TWO_PI 6.28318530717958647692

/* The number of waves that an index stands for. */
static int waves(int i, int n)
{
  return i <= n / 2 ? i : i - n;
}

/* -u_xx - u_yy = f, in place; the mean of u is zero. */
void poisson_solve(const Plan *plan, Plane *f)
{
  int n = f->n;
  plane_transform(plan, f, -1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double kx = waves(i, n), ky = waves(j, n), k2 = kx * kx + ky * ky;
      double scale = k2 > 0 ? 1.0 / k2 : 0.0;
      AT(f, re, i, j) *= scale;
      AT(f, im, i, j) *= scale;
    }
  plane_transform(plan, f, 1);
}

/* -u_xx - u_yy by differences of fourth order. */
void laplacian(const Plane *u, Plane *out)
{
  int n = u->n;
  double h = TWO_PI / n, scale = 1.0 / (12 * h * h);
  for (int i = 0; i < n; i++) {
    int up = (i + n - 1) % n, up2 = (i + n - 2) % n, down = (i + 1) % n, down2 = (i + 2) % n;
    for (int j = 0; j < n; j++) {
      int left = (j + n - 1) % n, left2 = (j + n - 2) % n, right = (j + 1) % n;
      int right2 = (j + 2) % n;
      AT(out, re, i, j) = scale
          * (60 * AT(u, re, i, j)
             - 16 * (AT(u, re, up, j) + AT(u, re, down, j) + AT(u, re, i, left)
                     + AT(u, re, i, right))
             + AT(u, re, up2, j) + AT(u, re, down2, j) + AT(u, re, i, left2)
             + AT(u, re, i, right2));
      AT(out, im, i, j) = 0.0;
    }
  }
}

void laplacian_spectral(const Plan *plan, Plane *u)
{
  int n = u->n;
  plane_transform(plan, u, -1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double kx = waves(i, n), ky = waves(j, n);
      AT(u, re, i, j) *= kx * kx + ky * ky;
      AT(u, im, i, j) *= kx * kx + ky * ky;
    }
  plane_transform(plan, u, 1);
}

void low_pass(const Plan *plan, Plane *p, double cutoff)
{
  int n = p->n;
  plane_transform(plan, p, -1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double kx = waves(i, n), ky = waves(j, n);
      if (kx * kx + ky * ky > cutoff * cutoff) {
        AT(p, re, i, j) = 0;
        AT(p, im, i, j) = 0;
      }
    }
  plane_transform(plan, p, 1);
}

/* u_t = u_xx + u_yy for some time, exactly. */
void heat(const Plan *plan, Plane *u, double time)
{
  int n = u->n;
  double *decay = malloc(n * sizeof *decay);
  if (!decay)
    exit(2);
  for (int i = 0; i < n; i++)
    decay[i] = exp(-(double)waves(i, n) * waves(i, n) * time);
  plane_transform(plan, u, -1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      AT(u, re, i, j) *= decay[i] * decay[j];
      AT(u, im, i, j) *= decay[i] * decay[j];
    }
  plane_transform(plan, u, 1);
  free(decay);
}

/* The same by small steps; the planes change places. */
void heat_explicit(Plane *u, Plane *next, double dt, int steps)
{
  int n = u->n;
  double h = TWO_PI / n, c = dt / (h * h);
  for (int t = 0; t < steps; t++) {
    double *swap;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        AT(next, re, i, j) = AT(u, re, i, j)
            + c * (AT(u, re, (i + 1) % n, j) + AT(u, re, (i + n - 1) % n, j)
                   + AT(u, re, i, (j + 1) % n) + AT(u, re, i, (j + n - 1) % n)
                   - 4 * AT(u, re, i, j));
    swap = u->re;
    u->re = next->re;
    next->re = swap;
  }
}

/* How much energy there is at each number of waves. */
int spectrum(const Plane *p, double *bins, int count)
{
  int n = p->n, most = 0;
  for (int b = 0; b < count; b++)
    bins[b] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double kx = waves(i, n), ky = waves(j, n);
      int bin = (int)(sqrt(kx * kx + ky * ky) + 0.5);
      if (bin >= count)
        continue;
      bins[bin] += AT(p, re, i, j) * AT(p, re, i, j) + AT(p, im, i, j) * AT(p, im, i, j);
      if (bin > most)
        most = bin;
    }
  return most;
}
