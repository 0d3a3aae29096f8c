/* Headers that step what they do not start: counters, data, and a call. */
#include "show.h"

#define N 30

static double a[N][N], b[N][N], c[4 * N];

static int next_of(int x) { return (x * 5 + 3) % N; }

static void run(int n, const double *weight)
{
  int at = 2, x = 1;
  double decay = 1.0;
  for (int i = 0; i < n; i++, at += 2, decay *= 0.5) /* => either */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        b[j][i] += a[j][k] * a[k][i] * decay + weight[at];
  for (int i = 0; i < n; i++, x = next_of(x)) /* => either */
    for (int j = 0; j < n; j++)
      a[j][i] += b[x][j];
  printf("%d %d %g\n", at, x, decay);
  for (int i = 0, top = n; i < n; at--, i++) /* => either */
    for (int j = 0; j < n; j++)
      c[at] += b[j][i] * top;
}

int main(void)
{
  double weight[4 * N];
  for (int i = 0; i < 4 * N; i++)
    weight[i] = i % 5;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = (i * 3 + j) % 8;
  run(N, weight);
  show("a", &a[0][0], N * N);
  show("b", &b[0][0], N * N);
  show("c", c, 4 * N);
  return 0;
}
