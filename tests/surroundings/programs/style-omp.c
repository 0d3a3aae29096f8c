/* A program that has pragmas of its own; they stay, and the other nests are nests. */
#include "show.h"

static double a[30][30], b[30][30], c[30][30];

static void scale(int n, double by)
{
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] *= by;
}

static void multiply(int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 30; j++) {
      a[i][j] = i - j;
      b[i][j] = (i + j) % 3;
    }
  scale(30, 0.5);
  multiply(30);
  show("c", &c[0][0], 900);
  return 0;
}
