/* Static helpers that only compute: inlined. */
#include <math.h>
#include "show.h"

#define N 40

static double square(double x) { return x * x; }

static inline double distance2(const double *p, const double *q)
{
  return square(p[0] - q[0]) + square(p[1] - q[1]) + square(p[2] - q[2]);
}

static double strength(double r2)
{
  if (r2 < 0.01)
    return 0.0;
  return 1.0 / (r2 * sqrt(r2));
}

static void forces(int n, const double (*pos)[3], double (*force)[3])
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++) {
      double s = strength(distance2(pos[i], pos[j]));
      for (int d = 0; d < 3; d++)
        force[i][d] += s * (pos[j][d] - pos[i][d]);
    }
}

int main(void)
{
  static double pos[N][3], force[N][3];
  for (int i = 0; i < N; i++)
    for (int d = 0; d < 3; d++)
      pos[i][d] = (i * (d + 3)) % 17 * 0.5;
  forces(N, (const double (*)[3])pos, force);
  show("force", &force[0][0], N * 3);
  return 0;
}
