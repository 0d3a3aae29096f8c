/* Ten nests in one function; each one has its own fate. */
#include "show.h"

#define N 24

static double a[N][N], b[N][N], c[N][N], d[N], e[N];

static void all_of_it(int n, const int *perm)
{
  for (int i = 0; i < n; i++)
    d[i] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = 0;
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
  printf("trace of c: ");
  double trace = 0;
  for (int i = 0; i < n; i++)
    trace += c[i][i];
  printf("%g\n", trace);
  for (int i = 0; i < n; i++)
    d[perm[i]] += c[i][0];
  for (int i = 0; i < n; i++)
    e[i] = d[i] > 0 ? d[i] : -d[i];
  for (int t = 0; t < n; t++) /* => rewritten */
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
  for (int i = 1; i < n; i++)
    e[i] += e[i - 1];
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        b[j][i] += a[j][k] * c[i][k];
  show("b", &b[0][0], N * N);
}

int main(void)
{
  int perm[N];
  for (int i = 0; i < N; i++) {
    perm[i] = (i * 7) % N;
    for (int j = 0; j < N; j++) {
      a[i][j] = i - j;
      b[i][j] = (i * j) % 5;
    }
  }
  all_of_it(N, perm);
  show("e", e, N);
  return 0;
}
