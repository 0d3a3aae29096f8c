/* Bounds that are elements of an array which nobody writes in between. */
#include "show.h"

static int grid_points[3];
static double u[22][22][22], rhs[22][22][22], w[22];

static void compute_rhs(int times)
{
  int i, j, k, t;
  for (t = 0; t < times; t++) /* => rewritten */
    for (k = 1; k <= grid_points[2] - 2; k++)
      for (j = 1; j <= grid_points[1] - 2; j++)
        for (i = 1; i <= grid_points[0] - 2; i++)
          rhs[k][j][i] += 0.1 * w[t] * (u[i][j][k + 1] + u[i][j][k - 1] - 2 * u[i][j][k]);
}

int main(void)
{
  grid_points[0] = 20;
  grid_points[1] = 21;
  grid_points[2] = 22;
  for (int k = 0; k < 22; k++)
    for (int j = 0; j < 22; j++)
      for (int i = 0; i < 22; i++)
        u[k][j][i] = (i * 3 + j * 5 + k * 7) % 10;
  for (int i = 0; i < 22; i++)
    w[i] = 1.0 / (i + 1);
  compute_rhs(20);
  show("rhs", &rhs[0][0][0], 22 * 22 * 22);
  return 0;
}
