/* Loops that people have unrolled by hand. */
#include "show.h"

#define N 1000

static double x[N], y[N];

static double dot5(int n)
{
  double sum = 0;
  int i, m = n % 5;
  for (i = 0; i < m; i++)
    sum += x[i] * y[i];
  for (i = m; i < n; i += 5) /* => either */
    sum += x[i] * y[i] + x[i + 1] * y[i + 1] + x[i + 2] * y[i + 2] + x[i + 3] * y[i + 3]
           + x[i + 4] * y[i + 4];
  return sum;
}

static void scale5(int n, double a)
{
  for (int i = 0; i + 4 < n; i += 5) { /* => either */
    y[i] += a * x[i];
    y[i + 1] += a * x[i + 1];
    y[i + 2] += a * x[i + 2];
    y[i + 3] += a * x[i + 3];
    y[i + 4] += a * x[i + 4];
  }
}

int main(void)
{
  for (int i = 0; i < N; i++) {
    x[i] = i % 13;
    y[i] = i % 7;
  }
  printf("%.17g\n", dot5(N - 3));
  scale5(N, 0.5);
  show("y", y, N);
  return 0;
}
