/* Cubic grids of interior points with a border of zeros around them, and what is done on them. */
#ifndef GRID_H
#define GRID_H

#include <stddef.h>

#define MAX_LEVELS 10

/* One level: n interior points along each side, m = n + 2 with the border. */
typedef struct {
  int n, m;
  double h;
  double *u;   /* the solution, or the correction of the finer level */
  double *f;   /* the right-hand side */
  double *r;   /* the residual, and room for a sweep */
} Level;

typedef struct {
  int levels;
  int before, after; /* sweeps on the way down and up */
  Level level[MAX_LEVELS];
} Multigrid;

#define IDX(g, i, j, k) (((i) * (g)->m + (j)) * (g)->m + (k))

/* grid.c */
size_t grid_points(const Level *g);
int multigrid_create(Multigrid *mg, int levels, int before, int after);
void multigrid_destroy(Multigrid *mg);
void grid_fill(const Level *g, double *x, double value);
void grid_sample(const Level *g, double *x, double (*function)(double, double, double));
double grid_norm(const Level *g, const double *x);
double grid_max_difference(const Level *g, const double *x, const double *y);

/* operators.c */
void apply_laplacian(const Level *g, const double *u, double *out);
void compute_residual(const Level *g);
void smooth_jacobi(const Level *g, double omega);
void smooth_red_black(const Level *g);
void restrict_full_weighting(const Level *fine, const Level *coarse);
void prolong_and_add(const Level *coarse, const Level *fine);

/* cycle.c */
void v_cycle(Multigrid *mg, int level);
void full_multigrid(Multigrid *mg);
int solve(Multigrid *mg, double tolerance, int most, double *reached);

#endif
