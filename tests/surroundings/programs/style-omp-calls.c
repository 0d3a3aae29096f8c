/* Nests in functions that the program itself calls from threads. */
#include "show.h"

#define N 24
#define TASKS 4

static double a[TASKS][N][N], c[TASKS][N][N];

static void square(int n, double (*x)[N], double (*y)[N])
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        y[i][j] += x[i][k] * x[k][j];
}

int main(void)
{
  for (int t = 0; t < TASKS; t++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[t][i][j] = (i * 3 + j * (t + 1)) % 9;
#pragma omp parallel for
  for (int t = 0; t < TASKS; t++)
    square(N, a[t], c[t]);
  show("c", &c[0][0][0], TASKS * N * N);
  return 0;
}
