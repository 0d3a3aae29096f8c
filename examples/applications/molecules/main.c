/* Lets a cold crystal melt, and looks at what has to stay as it is.
 *
 * usage: molecules [CELLS [STEPS]] for 4 CELLS^3 molecules */
#define _POSIX_C_SOURCE 199309L

#include "molecules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BETWEEN 10

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

static int compare_forces(System *s, Neighbours *n)
{
  real (*kept)[DIM] = malloc(s->count * sizeof *kept), worst = 0, potential;
  if (!kept)
    return 0;
  forces_all_pairs(s);
  potential = s->potential;
  for (int i = 0; i < s->count; i++)
    memcpy(kept[i], s->molecules[i].force, sizeof kept[i]);
  if (neighbours_find(n, s) < 0)
    return 0;
  forces_near(s, n);
  for (int i = 0; i < s->count; i++)
    for (int d = 0; d < DIM; d++)
      worst = fmax(worst, fabs(kept[i][d] - s->molecules[i].force[d]));
  free(kept);
  printf("forces differ by %.1e, energies by %.1e\n", worst, fabs(potential - s->potential));
  return worst < 1e-7 && fabs(potential - s->potential) < 1e-7 * s->count;
}

int main(int argc, char **argv)
{
  int cells = argc > 1 ? atoi(argv[1]) : 9, steps = argc > 2 ? atoi(argv[2]) : 60;
  System s;
  Neighbours n;
  Observed first, last;
  real g[BINS], moments[4], factor[24], peak = 0, (*from)[DIM];
  double t;

  if (cells < 2 || system_create(&s, cells, 0.8, 1.5, 0.002))
    return 2;
  if (neighbours_create(&n, &s, 0.4)) {
    system_destroy(&s);
    return 2;
  }
  printf("%d molecules in a box of %.4f, %d cells along a side\n", s.count, s.side, n.cells);
  from = malloc(s.count * sizeof *from);
  if (!from)
    return 2;
  memcpy(from, s.trail, s.count * sizeof *from);
  expect(compare_forces(&s, &n), "forces in two ways at the start");
  t = now();
  observe(&s, &first);
  for (int step = 0; step < steps; step++) {
    if (step % BETWEEN == 0) {
      if (neighbours_find(&n, &s) < 0)
        return 2;
      observe(&s, &last);
      printf("%4d  T %.5f  E %.6f  p %.4f\n", step, last.temperature, last.total, last.pressure);
    }
    velocity_verlet(&s, step % 3 == 2 ? NULL : &n);
  }
  observe(&s, &last);
  radial_distribution(&s, g);
  structure_factor(&s, 24, factor);
  velocity_moments(&s, moments);
  fprintf(stderr, "seconds %.6f\n", now() - t);
  for (int b = 0; b < BINS; b++)
    peak = fmax(peak, g[b]);
  printf("displacement %.6f, peak %.4f, factor %.4f\n", mean_square_displacement(&s, from), peak,
         factor[2 * cells > 24 ? 23 : 2 * cells - 1]);
  printf("moments %.4f %.4f %.4f %.4f\n", moments[0], moments[1], moments[2], moments[3]);
  expect(compare_forces(&s, &n), "forces in two ways at the end");
  expect(fabs(last.total - first.total) < 2e-3, "energy stays");
  expect(fabs(last.momentum[0]) + fabs(last.momentum[1]) + fabs(last.momentum[2]) < 1e-9 * s.count,
         "momentum stays");
  expect(peak > 1.5 && g[0] == 0, "molecules keep their distance");
  printf(failures ? "WRONG\n" : "VERIFIED\n");
  free(from);
  neighbours_destroy(&n);
  system_destroy(&s);
  return failures != 0;
}
