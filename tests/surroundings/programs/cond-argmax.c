/* The place of the largest element of each row of a product. */
#include "show.h"

#define N 34

static double a[N][N], b[N][N], c[N][N];
static int best[N];

static void classify(int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
  for (int i = 0; i < n; i++) {
    int at = 0;
    double max = c[i][0];
    for (int j = 1; j < n; j++)
      if (c[i][j] > max) {
        max = c[i][j];
        at = j;
      }
    best[i] = at;
  }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i * 17 + j * 5) % 23;
      b[i][j] = (i * 3 + j * 13) % 19;
    }
  classify(N);
  for (int i = 0; i < N; i++)
    printf("%d ", best[i]);
  printf("\n");
  return 0;
}
