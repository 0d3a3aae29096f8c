/* Arrays of the function itself: fixed, variable and static. */
#include "show.h"

static double run(int n)
{
  double a[n][n], b[n][n];
  static double c[40][40];
  double row[40];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = (i + j) % 6;
      b[i][j] = (i * 5 + j) % 4;
    }
  for (int i = 0; i < n; i++) { /* => rewritten */
    for (int j = 0; j < n; j++)
      row[j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        row[j] += a[i][k] * b[k][j];
    for (int j = 0; j < n; j++)
      c[i][j] += row[j];
  }
  show("c", &c[0][0], 1600);
  return c[n - 1][n - 2];
}

int main(void)
{
  printf("%.17g\n", run(31));
  printf("%.17g\n", run(17));
  return 0;
}
