/* min and max as statement expressions. */
#include "show.h"

#define max(a, b) \
  ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define min(a, b) \
  ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })

#define N 34

static int d[N][N];

static void shortest(int n)
{
  for (int k = 0; k < n; k++) /* => rewritten */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = min(d[i][j], d[i][k] + d[k][j]);
}

static void widths(int n, double *w)
{
  for (int i = 0; i < n; i++)
    for (int j = max(0, i - 3); j < min(n, i + 4); j++)
      w[i] += d[i][j];
}

int main(void)
{
  double w[N] = {0};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      d[i][j] = i == j ? 0 : 1 + (i * 7 + j * 11) % 50;
  shortest(N);
  widths(N, w);
  show("w", w, N);
  return 0;
}
