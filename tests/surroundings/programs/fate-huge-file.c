/* A function of 40,000 nodes does not take those behind it with it. */
#include "show.h"

#define TURN t[1] = t[0] ^ t[2] + 7u; t[2] = t[1] * 5u + t[0]; t[0] = t[2] - t[1];
#define TURN8 TURN TURN TURN TURN TURN TURN TURN TURN
#define TURN64 TURN8 TURN8 TURN8 TURN8 TURN8 TURN8 TURN8 TURN8
#define TURN512 TURN64 TURN64 TURN64 TURN64 TURN64 TURN64 TURN64 TURN64

static void turn(unsigned t[3])
{
  TURN512
  TURN512
  TURN512
}

static unsigned scramble(unsigned x)
{
  unsigned t[3] = {x, x + 1, x * x};
  turn(t);
  return t[0] ^ t[1] ^ t[2];
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
