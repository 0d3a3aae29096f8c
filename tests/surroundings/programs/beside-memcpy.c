/* memset and memcpy between the steps, as in many solvers. */
#include <string.h>
#include "show.h"

#define N 34

static double now[N][N], next[N][N];

static void run(int n, int steps)
{
  for (int t = 0; t < steps; t++) {
    memset(next, 0, sizeof next);
    for (int i = 1; i < n - 1; i++) /* => rewritten */
      for (int j = 1; j < n - 1; j++)
        for (int k = -1; k <= 1; k++)
          next[i][j] += 0.3 * now[i + k][j] + 0.03 * now[i][j + k];
    memcpy(now, next, sizeof now);
  }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      now[i][j] = (i * j) % 19;
  run(N, 5);
  show("now", &now[0][0], N * N);
  return 0;
}
