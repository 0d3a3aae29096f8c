/* Counts and sums that only some elements take part in. */
#include "show.h"

#define N 60

static double x[N][N], hist[N];

static int above(int n, double limit)
{
  int count = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (x[i][j] > limit)
        count++;
  return count;
}

static void column_sums(int n, double limit, int rounds)
{
  for (int j = 0; j < n; j++) /* => rewritten */
    for (int r = 0; r < rounds; r++)
      for (int i = 0; i < n; i++)
        if (x[i][j] > limit)
          hist[j] += x[i][j] * x[i][r];
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x[i][j] = (i * 29 + j * 31) % 97;
  printf("%d\n", above(N, 50));
  column_sums(N, 40, 10);
  show("hist", hist, N);
  return 0;
}
