/* Periodic borders by the remainder: the game of life, and waves on a ring. */
#include <stdio.h>
#include "show.h"

#define N 32

static unsigned char now[N][N], next[N][N];
static double u[N][N], v[N][N];

static void life(int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int around = 0;
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
          around += now[(i + di + n) % n][(j + dj + n) % n];
      around -= now[i][j];
      next[i][j] = around == 3 || (around == 2 && now[i][j]);
    }
}

static void ring(int n, int steps)
{
  for (int t = 0; t < steps; t++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        v[i][j] += 0.1 * (u[(i + 1) % n][j] - 2 * u[i][j] + u[(i + n - 1) % n][j]);
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      now[i][j] = (i * 7 + j * 11) % 3 == 0;
      u[i][j] = (i * j) % 9;
    }
  life(N);
  ring(N, 6);
  unsigned sum = 0;
  for (int i = 0; i < N * N; i++)
    sum = sum * 3 + next[i / N][i % N];
  printf("%u\n", sum);
  show("v", &v[0][0], N * N);
  return 0;
}
