/* A switch chooses what a step does; the nests of its cases are nests. */
#include "show.h"

#define N 30

static double a[N][N], b[N][N], c[N][N];

static void step(int kind, int n)
{
  switch (kind) {
  case 0:
    for (int i = 0; i < n; i++) /* => rewritten */
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          c[i][j] += a[i][k] * b[k][j];
    break;
  case 1:
    for (int t = 0; t < n; t++) /* => rewritten */
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          a[i][j] += 0.5 * b[j][t] * b[t][i];
    break;
  default:
    printf("nothing to do for %d\n", kind);
  }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i + j) % 4;
      b[i][j] = (i * j) % 5;
    }
  for (int kind = 0; kind < 3; kind++)
    step(kind, N);
  show("a", &a[0][0], N * N);
  show("c", &c[0][0], N * N);
  return 0;
}
