/* Elements that are written or not: activations and their gradients. */
#include "show.h"

#define N 44

static float x[N][N], dx[N][N], w[N][N];

static void backward(int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        if (x[i][j] > 0)
          dx[i][j] += w[j][k] * x[i][k];
        else
          dx[i][j] += 0.01f * w[j][k];
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      x[i][j] = (float)((i * 7 + j * 3) % 11 - 5);
      w[i][j] = (float)((i + j) % 13) / 13;
    }
  backward(N);
  show_floats("dx", &dx[0][0], N * N);
  return 0;
}
