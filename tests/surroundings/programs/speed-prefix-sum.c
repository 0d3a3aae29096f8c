/* A prefix sum, a moving average, a summed-area table. */
#include "show.h"

#define N 48

static double x[N * N], s[N * N + 1], table[N + 1][N + 1];

static void prefix(int n)
{
  s[0] = 0;
  for (int i = 0; i < n; i++) /* => either */
    s[i + 1] = s[i] + x[i];
}

static void areas(int n)
{
  for (int i = 1; i <= n; i++) /* => either */
    for (int j = 1; j <= n; j++)
      table[i][j] = x[(i - 1) * n + j - 1] + table[i - 1][j] + table[i][j - 1]
                    - table[i - 1][j - 1];
}

int main(void)
{
  for (int i = 0; i < N * N; i++)
    x[i] = (i * 11 % 17) / 16.0;
  prefix(N * N);
  areas(N);
  show("s", s, N * N + 1);
  show("table", &table[0][0], (N + 1) * (N + 1));
  return 0;
}
