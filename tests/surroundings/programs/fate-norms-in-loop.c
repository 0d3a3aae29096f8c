/* A time loop that calls the same function with one array, then with another one. */
#include <math.h>
#include "show.h"

static double u[5][24][24], rhs[5][24][24];

static void norm(double field[5][24][24], int n, double out[5])
{
  for (int m = 0; m < 5; m++) {
    out[m] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        out[m] += field[m][i][j] * field[m][i][j];
    out[m] = sqrt(out[m]);
  }
}

static void march(int steps, int n, double before[5], double after[5])
{
  for (int t = 0; t < steps; t++) { /* => either */
    norm(rhs, n, before);
    for (int m = 0; m < 5; m++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          rhs[m][i][j] = 0.9 * u[m][j][i] / (1 + before[m]);
    norm(u, n, after);
    for (int m = 0; m < 5; m++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          u[m][i][j] += rhs[m][i][j] * after[m] * 0.001;
  }
}

int main(void)
{
  double before[5], after[5];
  for (int m = 0; m < 5; m++)
    for (int i = 0; i < 24; i++)
      for (int j = 0; j < 24; j++)
        u[m][i][j] = (m + i * j) % 6;
  march(4, 24, before, after);
  show("before", before, 5);
  show("after", after, 5);
  return 0;
}
