/* Variables that the program's own pragmas make private. */
#include "show.h"

#define N 34

static double scale = 1.0;
#pragma omp threadprivate(scale)
static double a[N][N], c[N][N];

static void square(int n)
{
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += scale * a[i][k] * a[k][j];
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = (i * 3 + j) % 9;
  scale = 0.25;
  square(N);
  show("c", &c[0][0], N * N);
  return 0;
}
