/* Loops of a few microseconds, called often. */
#include "show.h"

static double x[64], y[64], z[64];

static void axpy(int n, double a)
{
  for (int i = 0; i < n; i++) /* => either */
    y[i] += a * x[i];
}

static double norm(int n)
{
  double s = 0;
  for (int i = 0; i < n; i++) /* => either */
    s += y[i] * y[i];
  return s;
}

int main(void)
{
  for (int i = 0; i < 64; i++)
    x[i] = 1.0 / (i + 1);
  double total = 0;
  for (int t = 0; t < 500; t++) {
    axpy(64, 0.01);
    total += norm(64);
    for (int i = 0; i < 64; i++)
      z[i] = z[i] * 0.5 + y[i];
  }
  printf("%.17g\n", total);
  show("z", z, 64);
  return 0;
}
