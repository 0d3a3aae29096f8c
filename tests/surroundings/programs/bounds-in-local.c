/* Bounds that locals hold: products, halves, minima. */
#include "show.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static double a[50][50], b[50][50], c[50][50];

static void corner(int rows, int cols, int cap)
{
  int m = MIN(rows, cap), n = MIN(cols, cap), half = n / 2;
  for (int i = 0; i < m; i++) /* => rewritten */
    for (int j = 0; j < half; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
  for (int i = 0; i < 50; i++)
    for (int j = 0; j < 50; j++) {
      a[i][j] = (i ^ j) % 10;
      b[i][j] = (i & j) % 10;
    }
  corner(45, 60, 48);
  show("c", &c[0][0], 2500);
  return 0;
}
