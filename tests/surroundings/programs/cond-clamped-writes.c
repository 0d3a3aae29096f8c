/* Elements that several iterations write, because their places are clamped. */
#include "show.h"

#define N 40

static double in[N][N], out[N][N];

static int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }

static void scatter(int n, int reach)
{
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++)
      for (int d = -reach; d <= reach; d++)
        out[clamp(i + d, 0, n - 1)][j] = 0.75 * out[clamp(i + d, 0, n - 1)][j] + in[i][j];
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      in[i][j] = (i * 3 + j * 5) % 11;
  scatter(N, 3);
  show("out", &out[0][0], N * N);
  return 0;
}
