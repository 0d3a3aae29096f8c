/* Gaussian elimination with pivoting: a search and swapped rows around a regular update. */
#include <math.h>
#include <stdlib.h>
#include "show.h"

static int factor(int n, double (*a)[n], int *perm)
{
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[p][k]))
        p = i;
    if (a[p][k] == 0)
      return -1;
    perm[k] = p;
    if (p != k)
      for (int j = 0; j < n; j++) {
        double t = a[k][j];
        a[k][j] = a[p][j];
        a[p][j] = t;
      }
    for (int i = k + 1; i < n; i++)
      a[i][k] /= a[k][k];
    for (int j = k + 1; j < n; j++) /* => rewritten */
      for (int i = k + 1; i < n; i++)
        a[i][j] -= a[i][k] * a[k][j];
  }
  return 0;
}

int main(void)
{
  enum { N = 35 };
  double (*a)[N] = malloc(sizeof(double[N][N]));
  int perm[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = (i * 23 + j * 41) % 67 - 30;
  printf("%d\n", factor(N, a, perm));
  show("a", &a[0][0], N * N);
  free(a);
  return 0;
}
