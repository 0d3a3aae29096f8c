/* A helper that calls itself is not inlined, and is no obstacle for those beside it. */
#include "show.h"

static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

static double m[32][32], out[32][32];

static void coprime(int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = gcd(i + 1, j + 1) == 1;
}

static void power(int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        out[i][j] += m[i][k] * m[k][j];
}

int main(void)
{
  coprime(32);
  power(32);
  show("out", &out[0][0], 1024);
  return 0;
}
