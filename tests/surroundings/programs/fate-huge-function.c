/* A function of 40,000 nodes does not take those behind it with it. */
#include "show.h"

#define MIX(x) x = (x ^ (x >> 3)) * 0x9e3779b1u + (x << 5); x ^= x >> 7; x += 0x85ebca6bu;
#define MIX8(x) MIX(x) MIX(x) MIX(x) MIX(x) MIX(x) MIX(x) MIX(x) MIX(x)
#define MIX64(x) MIX8(x) MIX8(x) MIX8(x) MIX8(x) MIX8(x) MIX8(x) MIX8(x) MIX8(x)
#define MIX512(x) MIX64(x) MIX64(x) MIX64(x) MIX64(x) MIX64(x) MIX64(x) MIX64(x) MIX64(x)

static unsigned scramble(unsigned x)
{
  MIX512(x)
  MIX512(x)
  MIX512(x)
  MIX512(x)
  return x;
}

static void product(int n, double a[n][n], double b[n][n], double c[n][n])
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
  static double a[25][25], b[25][25], c[25][25];
  for (int i = 0; i < 25; i++)
    for (int j = 0; j < 25; j++) {
      a[i][j] = scramble((unsigned)(i * 25 + j)) % 16;
      b[i][j] = scramble((unsigned)(i + 25 * j)) % 8;
    }
  product(25, a, b, c);
  show("c", &c[0][0], 625);
  return 0;
}
