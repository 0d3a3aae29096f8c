/* A callback for progress in the outer loop. */
#include "show.h"

typedef void (*progress)(int step, double value, void *data);

static void print_progress(int step, double value, void *data)
{
  int *count = data;
  if (++*count % 3 == 0)
    printf("%d %.9g\n", step, value);
}

static void solve(int n, double a[n][n], double b[n][n], int steps, progress report, void *data)
{
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++) /* => rewritten */
      for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
          b[i][j] += 0.001 * a[i][k] * a[k][j];
    report(s, b[0][0], data);
  }
}

int main(void)
{
  static double a[24][24], b[24][24];
  int count = 0;
  for (int i = 0; i < 24; i++)
    for (int j = 0; j < 24; j++)
      a[i][j] = (i + j) % 9;
  solve(24, a, b, 7, print_progress, &count);
  show("b", &b[0][0], 576);
  return 0;
}
