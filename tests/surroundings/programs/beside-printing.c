/* Progress is printed in the time loop: the nest inside of it is still a nest. */
#include "show.h"

#define N 32

static double a[N][N], b[N][N];

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = b[i][j] = (i * 3 + j) % 16;
  for (int t = 0; t < 12; t++) {
    for (int i = 1; i < N - 1; i++) /* => rewritten */
      for (int j = 1; j < N - 1; j++)
        for (int k = 0; k < N; k++)
          b[i][j] += 0.001 * a[i][k] * a[k][j];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] = 0.01 * b[i][j];
    if (t % 4 == 0)
      printf("step %d: %.6f\n", t, a[N / 2][N / 2]);
    fflush(stdout);
  }
  show("a", &a[0][0], N * N);
  return 0;
}
