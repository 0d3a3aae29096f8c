/* A bound behind a pointer into the array that the loop writes. */
#include "show.h"

static int shrink(int *count, int *x)
{
  int rounds = 0;
  for (int i = 0; i < *count; i++) { /* => either */
    for (int j = 0; j < *count; j++)
      x[j] = x[j] - (i + j) % 3;
    rounds++;
  }
  return rounds;
}

static void product(const int *n, const double *a, double *b)
{
  for (int i = 0; i < *n; i++) /* => rewritten */
    for (int j = 0; j < *n; j++)
      for (int k = 0; k < *n; k++)
        b[i * *n + j] += a[i * *n + k] * a[k * *n + j];
}

int main(void)
{
  int x[64], n = 20;
  static double a[400], b[400];
  for (int i = 0; i < 64; i++)
    x[i] = 30 + i;
  for (int i = 0; i < 400; i++)
    a[i] = i % 9;
  printf("%d\n", shrink(&x[5], x));
  product(&n, a, b);
  printf("%d %d\n", x[0], x[40]);
  show("b", b, 400);
  return 0;
}
