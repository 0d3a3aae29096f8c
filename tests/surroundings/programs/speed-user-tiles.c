/* Tiles by the user: no threads inside of them. */
#include "show.h"

#define N 48
#define B 16

static double a[N][N], b[N][N], c[N][N];

static void multiply_block(int ii, int jj, int kk)
{
  for (int i = ii; i < ii + B; i++) /* => either */
    for (int j = jj; j < jj + B; j++)
      for (int k = kk; k < kk + B; k++)
        c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i + j) % 5;
      b[i][j] = (i * j) % 11;
    }
  for (int ii = 0; ii < N; ii += B)
    for (int jj = 0; jj < N; jj += B)
      for (int kk = 0; kk < N; kk += B)
        multiply_block(ii, jj, kk);
  show("c", &c[0][0], N * N);
  return 0;
}
