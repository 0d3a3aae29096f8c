/* Variables of which each thread has its own. */
#include "show.h"

#define N 36

static _Thread_local double factor = 1.0;
static __thread double row[N];
static double a[N][N], b[N][N], c[N][N];

static void product(int n)
{
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += factor * a[i][k] * b[k][j];
}

static void by_rows(int n)
{
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        b[j][i] += row[k] * a[k][j] * row[i];
}

int main(void)
{
  for (int i = 0; i < N; i++) {
    row[i] = i % 3;
    for (int j = 0; j < N; j++) {
      a[i][j] = (i + j) % 7;
      b[i][j] = (i * j) % 5;
    }
  }
  factor = 0.125;
  product(N);
  by_rows(N);
  show("c", &c[0][0], N * N);
  show("b", &b[0][0], N * N);
  return 0;
}
