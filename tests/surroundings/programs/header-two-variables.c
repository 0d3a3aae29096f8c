/* Two variables in the header of a loop. */
#include "show.h"

static double a[40][40], b[40][40], c[40][40];

static void reversed(int n, double *x)
{
  int i, j;
  for (i = 0, j = n - 1; i < j; i++, j--) {
    double t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
}

static void multiply_reversed(int n)
{
  for (int i = 0, r = n - 1; i < n; i++, r--) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0, s = n - 1; k < n; k++, s--)
        c[r][j] += a[i][k] * b[s][j];
}

int main(void)
{
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++) {
      a[i][j] = (i * 2 + j) % 8;
      b[i][j] = (i + j * 3) % 5;
    }
  reversed(1600, &a[0][0]);
  multiply_reversed(40);
  show("c", &c[0][0], 1600);
  return 0;
}
