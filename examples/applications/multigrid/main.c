/* Solves -u_xx - u_yy - u_zz = f in the unit cube, u = 0 on its border, and looks at the error.
 *
 * usage: multigrid [LEVELS [CYCLES]] */
#define _POSIX_C_SOURCE 199309L

#include "grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PI 3.14159265358979323846

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double exact(double x, double y, double z)
{
  return sin(PI * x) * sin(2 * PI * y) * sin(PI * z);
}

static double source(double x, double y, double z)
{
  return 6 * PI * PI * exact(x, y, z);
}

/* The operator on a known field: second order accurate, so the error is small. */
static int check_operator(const Level *g)
{
  double *u = calloc(grid_points(g), sizeof(double)), *v = calloc(grid_points(g), sizeof(double));
  double worst, bound = 300.0 * g->h * g->h;
  if (!u || !v)
    return 0;
  grid_sample(g, u, exact);
  apply_laplacian(g, u, v);
  grid_sample(g, u, source);
  worst = grid_max_difference(g, u, v);
  printf("operator: worst error %.3e, at most %.3e\n", worst, bound);
  free(u);
  free(v);
  return worst < bound;
}

int main(int argc, char **argv)
{
  int levels = argc > 1 ? atoi(argv[1]) : 7;
  int most = argc > 2 ? atoi(argv[2]) : 12;
  Multigrid mg;
  Level *finest = &mg.level[0];
  double reached, error, *truth, t;
  int cycles, fine;

  if (multigrid_create(&mg, levels, 2, 2)) {
    fprintf(stderr, "cannot have %d levels\n", levels);
    return 2;
  }
  printf("%d levels, %d points along a side\n", mg.levels, finest->n);
  fine = check_operator(finest);
  grid_sample(finest, finest->f, source);
  t = now();
  full_multigrid(&mg);
  cycles = solve(&mg, 1e-9, most, &reached);
  fprintf(stderr, "seconds %.6f\n", now() - t);

  truth = calloc(grid_points(finest), sizeof(double));
  if (!truth)
    return 2;
  grid_sample(finest, truth, exact);
  error = grid_max_difference(finest, finest->u, truth);
  printf("%d cycles, residual %.1e of the first, error %.2e\n", cycles, reached, error);
  fine = fine && reached < 1e-5 && error < 6.0 * finest->h * finest->h;
  printf(fine ? "VERIFIED\n" : "WRONG\n");
  free(truth);
  multigrid_destroy(&mg);
  return !fine;
}
