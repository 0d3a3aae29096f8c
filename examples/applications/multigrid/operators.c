/* The operators of the method, all on flat arrays. */
#include "grid.h"

void apply_laplacian(const Level *g, const double *u, double *out)
{
  int n = g->n;
  double scale = 1.0 / (g->h * g->h);
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        out[IDX(g, i, j, k)] = scale
            * (6.0 * u[IDX(g, i, j, k)] - u[IDX(g, i - 1, j, k)] - u[IDX(g, i + 1, j, k)]
               - u[IDX(g, i, j - 1, k)] - u[IDX(g, i, j + 1, k)] - u[IDX(g, i, j, k - 1)]
               - u[IDX(g, i, j, k + 1)]);
}

void compute_residual(const Level *g)
{
  int n = g->n;
  double scale = 1.0 / (g->h * g->h);
  const double *u = g->u, *f = g->f;
  double *r = g->r;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        r[IDX(g, i, j, k)] = f[IDX(g, i, j, k)] - scale
            * (6.0 * u[IDX(g, i, j, k)] - u[IDX(g, i - 1, j, k)] - u[IDX(g, i + 1, j, k)]
               - u[IDX(g, i, j - 1, k)] - u[IDX(g, i, j + 1, k)] - u[IDX(g, i, j, k - 1)]
               - u[IDX(g, i, j, k + 1)]);
}

/* A sweep of damped Jacobi: into the room for residuals, and back. */
void smooth_jacobi(const Level *g, double omega)
{
  int n = g->n;
  double h2 = g->h * g->h;
  double *u = g->u, *t = g->r;
  const double *f = g->f;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++) {
        double around = u[IDX(g, i - 1, j, k)] + u[IDX(g, i + 1, j, k)] + u[IDX(g, i, j - 1, k)]
                        + u[IDX(g, i, j + 1, k)] + u[IDX(g, i, j, k - 1)]
                        + u[IDX(g, i, j, k + 1)];
        t[IDX(g, i, j, k)] = (1.0 - omega) * u[IDX(g, i, j, k)]
                             + omega * (around + h2 * f[IDX(g, i, j, k)]) / 6.0;
      }
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        u[IDX(g, i, j, k)] = t[IDX(g, i, j, k)];
}

/* Gauss-Seidel in two colours. */
void smooth_red_black(const Level *g)
{
  int n = g->n;
  double h2 = g->h * g->h;
  double *u = g->u;
  for (int colour = 0; colour < 2; colour++)
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        for (int k = 1 + (i + j + colour) % 2; k <= n; k += 2)
          u[IDX(g, i, j, k)] = (u[IDX(g, i - 1, j, k)] + u[IDX(g, i + 1, j, k)]
                                + u[IDX(g, i, j - 1, k)] + u[IDX(g, i, j + 1, k)]
                                + u[IDX(g, i, j, k - 1)] + u[IDX(g, i, j, k + 1)]
                                + h2 * g->f[IDX(g, i, j, k)]) / 6.0;
}

/* Residuals of the fine level, with weights of 1/2, 1/4 and so on, are the coarse f. */
void restrict_full_weighting(const Level *fine, const Level *coarse)
{
  static const double weight[3] = {0.25, 0.5, 0.25};
  const double *r = fine->r;
  double *f = coarse->f;
  for (int i = 1; i <= coarse->n; i++)
    for (int j = 1; j <= coarse->n; j++)
      for (int k = 1; k <= coarse->n; k++) {
        double sum = 0.0;
        for (int di = -1; di <= 1; di++)
          for (int dj = -1; dj <= 1; dj++)
            for (int dk = -1; dk <= 1; dk++)
              sum += weight[di + 1] * weight[dj + 1] * weight[dk + 1]
                     * r[IDX(fine, 2 * i + di, 2 * j + dj, 2 * k + dk)];
        f[IDX(coarse, i, j, k)] = sum;
      }
}

/* The correction of the coarse level, interpolated along each side. */
void prolong_and_add(const Level *coarse, const Level *fine)
{
  const double *e = coarse->u;
  double *u = fine->u;
  for (int i = 0; i <= coarse->n; i++)
    for (int j = 0; j <= coarse->n; j++)
      for (int k = 0; k <= coarse->n; k++) {
        double c000 = e[IDX(coarse, i, j, k)], c001 = e[IDX(coarse, i, j, k + 1)];
        double c010 = e[IDX(coarse, i, j + 1, k)], c011 = e[IDX(coarse, i, j + 1, k + 1)];
        double c100 = e[IDX(coarse, i + 1, j, k)], c101 = e[IDX(coarse, i + 1, j, k + 1)];
        double c110 = e[IDX(coarse, i + 1, j + 1, k)];
        double c111 = e[IDX(coarse, i + 1, j + 1, k + 1)];
        int x = 2 * i, y = 2 * j, z = 2 * k;
        u[IDX(fine, x, y, z)] += c000;
        u[IDX(fine, x, y, z + 1)] += 0.5 * (c000 + c001);
        u[IDX(fine, x, y + 1, z)] += 0.5 * (c000 + c010);
        u[IDX(fine, x + 1, y, z)] += 0.5 * (c000 + c100);
        u[IDX(fine, x, y + 1, z + 1)] += 0.25 * (c000 + c001 + c010 + c011);
        u[IDX(fine, x + 1, y, z + 1)] += 0.25 * (c000 + c001 + c100 + c101);
        u[IDX(fine, x + 1, y + 1, z)] += 0.25 * (c000 + c010 + c100 + c110);
        u[IDX(fine, x + 1, y + 1, z + 1)] += 0.125 * (c000 + c001 + c010 + c011 + c100 + c101
                                                      + c110 + c111);
      }
}
