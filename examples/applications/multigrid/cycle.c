#include "grid.h"

#include <stdio.h>

#define OMEGA (6.0 / 7.0)
#define SWEEPS_ON_COARSEST 20

static void smooth(const Level *g, int sweeps)
{
  for (int s = 0; s < sweeps; s++)
    smooth_jacobi(g, OMEGA);
}

void v_cycle(Multigrid *mg, int l)
{
  Level *g = &mg->level[l];
  if (l == mg->levels - 1) {
    for (int s = 0; s < SWEEPS_ON_COARSEST; s++)
      smooth_red_black(g);
    return;
  }
  smooth(g, mg->before);
  compute_residual(g);
  restrict_full_weighting(g, g + 1);
  grid_fill(g + 1, (g + 1)->u, 0.0);
  v_cycle(mg, l + 1);
  prolong_and_add(g + 1, g);
  smooth(g, mg->after);
}

/* From the coarsest level up, one cycle on each: a good start for the finest. */
void full_multigrid(Multigrid *mg)
{
  for (int l = 0; l + 1 < mg->levels; l++) {
    Level *g = &mg->level[l];
    for (size_t p = 0; p < grid_points(g); p++)
      g->r[p] = g->f[p];
    restrict_full_weighting(g, g + 1);
  }
  for (int l = mg->levels - 1; l >= 0; l--) {
    Level *g = &mg->level[l];
    grid_fill(g, g->u, 0.0);
    if (l + 1 < mg->levels)
      prolong_and_add(g + 1, g);
  }
}

int solve(Multigrid *mg, double tolerance, int most, double *reached)
{
  Level *finest = &mg->level[0];
  double start, now;
  int cycle;

  compute_residual(finest);
  start = now = grid_norm(finest, finest->r);
  printf("%3d  %.6e\n", 0, start);
  for (cycle = 1; cycle <= most; cycle++) {
    double last = now;
    v_cycle(mg, 0);
    compute_residual(finest);
    now = grid_norm(finest, finest->r);
    printf("%3d  %.6e  %.3f\n", cycle, now, now / last);
    if (now < tolerance * start)
      break;
  }
  *reached = now / start;
  return cycle;
}
