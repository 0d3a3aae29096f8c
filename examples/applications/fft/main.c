/* Tries the transforms, and solves equations by them.
 *
 * usage: fft [LOG [ROUNDS]] for planes of 2^LOG by 2^LOG */
#define _POSIX_C_SOURCE 199309L

#include "fft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TWO_PI 6.28318530717958647692

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int failures;

static void expect(double error, double bound, const char *what)
{
  int is_fine = error <= bound;
  printf("%-44s %8.1e %s\n", what, error, is_fine ? "ok" : "WRONG");
  failures += !is_fine;
}

static void paint(Plane *p, int seed)
{
  int n = p->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = TWO_PI * i / n, y = TWO_PI * j / n;
      AT(p, re, i, j) = sin(x) * cos(2 * y) + 0.5 * cos(3 * x + seed * y) + 0.2 * sin(5 * y);
      AT(p, im, i, j) = 0;
    }
}

static void check_lines(const Plan *plan)
{
  int n = plan->n;
  double *re = malloc(n * 8), *im = malloc(n * 8), *sr = malloc(n * 8), *si = malloc(n * 8);
  double *x = malloc(n * 8), *y = malloc(n * 8), *out = malloc(n * 8), worst = 0;
  if (!re || !im || !sr || !si || !x || !y || !out)
    exit(2);
  for (int i = 0; i < n; i++) {
    re[i] = x[i] = (i * 37 % 101) / 101.0;
    im[i] = y[i] = (i * 53 % 97) / 97.0;
  }
  slow_transform(n, re, im, sr, si, -1);
  transform(plan, re, im, -1);
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(re[i] - sr[i]) + fabs(im[i] - si[i]));
  expect(worst, 1e-9 * n, "fast and slow transform");
  for (int i = 0; i < n; i++) {
    sr[i] = 0;
    for (int k = 0; k < n; k++)
      sr[i] += x[k] * y[(i - k + n) % n];
  }
  convolve(plan, x, y, out);
  worst = 0;
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(out[i] - sr[i]));
  expect(worst, 1e-9 * n, "convolution");
  free(re);
  free(im);
  free(sr);
  free(si);
  free(x);
  free(y);
  free(out);
}

int main(int argc, char **argv)
{
  int log = argc > 1 ? atoi(argv[1]) : 9, rounds = argc > 2 ? atoi(argv[2]) : 3, most;
  Plan plan;
  Plane a, b, c;
  double t, energy, bins[16];

  if (log < 4 || log > 12 || plan_create(&plan, log))
    return 2;
  if (plane_create(&a, plan.n) || plane_create(&b, plan.n) || plane_create(&c, plan.n))
    return 2;
  check_lines(&plan);
  t = now();
  for (int round = 0; round < rounds; round++) {
    paint(&a, round % 3 + 1);
    plane_copy(&a, &b);
    plane_transform(&plan, &b, -1);
    energy = plane_energy(&b) / ((double)plan.n * plan.n);
    expect(fabs(energy / plane_energy(&a) - 1), 1e-10, "energy of a transform");
    most = spectrum(&b, bins, 16);
    printf("spectrum up to %d:", most);
    for (int k = 0; k < 6; k++)
      printf(" %.3f", bins[k] / plane_energy(&b));
    printf("\n");
    plane_copy(&a, &c);
    plane_transpose(&c);
    plane_transform_columns(&plan, &c, -1);
    plane_transpose(&c);
    plane_transform_columns(&plan, &c, -1);
    expect(plane_difference(&b, &c), 1e-7 * plan.n, "rows and columns");

    plane_copy(&a, &b);
    poisson_solve(&plan, &b);
    laplacian(&b, &c);
    expect(plane_difference(&a, &c), 2e4 / pow(plan.n, 4), "solution, by differences");
    laplacian_spectral(&plan, &b);
    expect(plane_difference(&a, &b), 1e-9, "solution, by transforms");

    plane_copy(&a, &b);
    plane_copy(&a, &c);
    heat(&plan, &b, 1e-3);
    heat_explicit(&c, &a, 1e-3 / (4 * rounds * (plan.n / 32)), 4 * rounds * (plan.n / 32));
    expect(plane_difference(&b, &c), 200.0 / ((double)plan.n * plan.n), "heat, in two ways");
    low_pass(&plan, &b, plan.n / 4.0);
  }
  fprintf(stderr, "seconds %.6f\n", now() - t);
  printf(failures ? "WRONG\n" : "VERIFIED\n");
  plane_destroy(&a);
  plane_destroy(&b);
  plane_destroy(&c);
  plan_destroy(&plan);
  return failures != 0;
}
