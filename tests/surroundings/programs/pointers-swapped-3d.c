/* Swapped pointers to planes, in a function, with a macro that swaps. */
#include <stdlib.h>
#include "show.h"

#define SWAP(T, x, y) do { T swap_ = x; x = y; y = swap_; } while (0)

static double *diffuse(int steps, int n, double *now, double *next)
{
  for (int t = 0; t < steps; t++) { /* => rewritten */
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          next[(i * n + j) * n + k] = now[(i * n + j) * n + k] * 0.4
              + 0.1 * (now[((i - 1) * n + j) * n + k] + now[((i + 1) * n + j) * n + k]
                       + now[(i * n + j - 1) * n + k] + now[(i * n + j + 1) * n + k]
                       + now[(i * n + j) * n + k - 1] + now[(i * n + j) * n + k + 1]);
    SWAP(double *, now, next);
  }
  return now;
}

int main(void)
{
  int n = 14;
  double *a = malloc(sizeof(double) * n * n * n), *b = malloc(sizeof(double) * n * n * n);
  for (int i = 0; i < n * n * n; i++)
    a[i] = b[i] = i % 23;
  double *last = diffuse(7, n, a, b);
  show("last", last, n * n * n);
  free(a);
  free(b);
  return 0;
}
