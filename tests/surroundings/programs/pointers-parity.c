/* Two planes chosen by the parity of the step: u[t % 2] and u[cur ^ 1]. */
#include "show.h"

#define N 300

static double u[2][N][N], v[2][N][N];

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      u[0][i][j] = u[1][i][j] = v[0][i][j] = v[1][i][j] = (i * j) % 11 * 0.5;
  for (int t = 0; t < 10; t++) /* => rewritten */
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        u[(t + 1) % 2][i][j] = 0.25 * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j]
                                       + u[t % 2][i][j - 1] + u[t % 2][i][j + 1]);
  int cur = 0;
  for (int t = 0; t < 7; t++) { /* => rewritten */
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        v[cur ^ 1][i][j] = v[cur][i][j] * 0.5 + 0.125 * (v[cur][i - 1][j] + v[cur][i + 1][j]
                                                        + v[cur][i][j - 1] + v[cur][i][j + 1]);
    cur ^= 1;
  }
  show("u", &u[0][0][0], N * N);
  show("v", &v[cur][0][0], N * N);
  return 0;
}
