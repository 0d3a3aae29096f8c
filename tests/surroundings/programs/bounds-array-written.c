/* A bound that the loop itself writes: left alone, and the culprit is named. */
#include "show.h"

static int limit[2];

static void grow(double *x)
{
  for (int i = 0; i < limit[0]; i++) { /* => left: limit */
    x[i] = i * 0.5;
    if (i % 5 == 0 && limit[0] < 60)
      limit[0] += 3;
  }
}

static void use(int n, double *restrict x, double (*restrict m)[n])
{
  for (int t = 0; t < n; t++) /* => rewritten */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        m[j][i] += x[i] * x[t] + m[j][i] * 0.01;
}

int main(void)
{
  static double x[80], m[40][40];
  limit[0] = 10;
  grow(x);
  use(40, x, m);
  printf("%d\n", limit[0]);
  show("x", x, 80);
  show("m", &m[0][0], 1600);
  return 0;
}
