/* A loop that counts in double. */
#include "show.h"

static double a[24][24], c[24][24];

static double integrate(double from, double to, double h)
{
  double sum = 0;
  for (double x = from; x < to; x += h) /* => left: x */
    sum += x * x * h;
  return sum;
}

static void multiply(int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * a[j][k];
}

int main(void)
{
  for (int i = 0; i < 24; i++)
    for (int j = 0; j < 24; j++)
      a[i][j] = integrate(0, 1, 0.125) + (i + j) % 3;
  multiply(24);
  show("c", &c[0][0], 576);
  return 0;
}
