/* Loops that run down, with unsigned counters, and with != as their condition. */
#include <stddef.h>
#include "show.h"

#define N 33

static double l[N][N], x[N][N];

static void back_substitution(size_t n, size_t columns)
{
  for (size_t i = n; i-- > 0;) /* => rewritten */
    for (size_t c = 0; c != columns; c++) {
      for (size_t j = i + 1; j != n; ++j)
        x[i][c] -= l[j][i] * x[j][c];
      x[i][c] /= l[i][i];
    }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      l[i][j] = i == j ? 4 : j < i ? 1.0 / (i + j) : 0;
      x[i][j] = (i + j) % 10;
    }
  back_substitution(N, N);
  show("x", &x[0][0], N * N);
  return 0;
}
