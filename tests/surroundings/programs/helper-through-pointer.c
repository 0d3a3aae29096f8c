/* Helpers that write through the addresses of elements. */
#include "show.h"

#define N 36

static double a[N][N], b[N][N];

static void bump(double *x, double by) { *x += by; }

static void exchange(double *x, double *y)
{
  double t = *x;
  *x = *y;
  *y = t;
}

static void work(int n, int rounds)
{
  for (int r = 0; r < rounds; r++) /* => rewritten */
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++)
        bump(&a[i][j], 0.25 * (a[i - 1][j] + a[i][j - 1]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      exchange(&b[i][j], &b[j][i]);
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = 0.001 * ((i + j) % 5);
      b[i][j] = i * N + j;
    }
  work(N, 3);
  show("a", &a[0][0], N * N);
  show("b", &b[0][0], N * N);
  return 0;
}
