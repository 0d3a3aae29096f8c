#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t grid_points(const Level *g)
{
  return (size_t)g->m * g->m * g->m;
}

static double *new_field(const Level *g)
{
  double *x = malloc(grid_points(g) * sizeof(double));
  if (x != NULL)
    memset(x, 0, grid_points(g) * sizeof(double));
  return x;
}

/* The finest level is the first; each one has half of the intervals of the one before. */
int multigrid_create(Multigrid *mg, int levels, int before, int after)
{
  int n = (1 << levels) - 1;
  if (levels < 2 || levels > MAX_LEVELS)
    return -1;
  memset(mg, 0, sizeof *mg);
  mg->levels = levels;
  mg->before = before;
  mg->after = after;
  for (int l = 0; l < levels; l++) {
    Level *g = &mg->level[l];
    g->n = n;
    g->m = n + 2;
    g->h = 1.0 / (n + 1);
    g->u = new_field(g);
    g->f = new_field(g);
    g->r = new_field(g);
    if (!g->u || !g->f || !g->r) {
      multigrid_destroy(mg);
      return -1;
    }
    n = (n - 1) / 2;
  }
  return 0;
}

void multigrid_destroy(Multigrid *mg)
{
  for (int l = 0; l < mg->levels; l++) {
    free(mg->level[l].u);
    free(mg->level[l].f);
    free(mg->level[l].r);
  }
  mg->levels = 0;
}

void grid_fill(const Level *g, double *x, double value)
{
  for (int i = 0; i < g->m; i++)
    for (int j = 0; j < g->m; j++)
      for (int k = 0; k < g->m; k++)
        x[IDX(g, i, j, k)] = value;
}

void grid_sample(const Level *g, double *x, double (*function)(double, double, double))
{
  for (int i = 1; i <= g->n; i++)
    for (int j = 1; j <= g->n; j++)
      for (int k = 1; k <= g->n; k++)
        x[IDX(g, i, j, k)] = function(i * g->h, j * g->h, k * g->h);
}

double grid_norm(const Level *g, const double *x)
{
  double sum = 0.0;
  for (int i = 1; i <= g->n; i++)
    for (int j = 1; j <= g->n; j++)
      for (int k = 1; k <= g->n; k++) {
        double v = x[IDX(g, i, j, k)];
        sum += v * v;
      }
  return sqrt(sum * g->h * g->h * g->h);
}

double grid_max_difference(const Level *g, const double *x, const double *y)
{
  double largest = 0.0;
  for (int i = 1; i <= g->n; i++)
    for (int j = 1; j <= g->n; j++)
      for (int k = 1; k <= g->n; k++) {
        double d = fabs(x[IDX(g, i, j, k)] - y[IDX(g, i, j, k)]);
        if (d > largest)
          largest = d;
      }
  return largest;
}
