/* Pointers that change places in some steps, and one step after which both are the same. */
#include <stdlib.h>
#include "show.h"

static double *run(int n, int steps, double *a, double *b)
{
  for (int t = 0; t < steps; t++) { /* => either */
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1]
                               + a[i * n + j + 1]);
    if (t % 3 != 1) {
      double *s = a;
      a = b;
      b = s;
    }
    if (t == 6)
      b = a;
  }
  return a;
}

int main(void)
{
  int n = 30;
  double *a = malloc(n * n * 8), *b = malloc(n * n * 8);
  for (int i = 0; i < n * n; i++)
    a[i] = b[i] = i % 41;
  show("last", run(n, 10, a, b), n * n);
  free(a);
  free(b);
  return 0;
}
