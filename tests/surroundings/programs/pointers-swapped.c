/* The commonest time loop of all: two arrays that change places after each step. */
#include <stdlib.h>
#include "show.h"

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 32, steps = 11;
  double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b);
  for (int i = 0; i < n * n; i++)
    a[i] = b[i] = (i * 7) % 31;
  for (int t = 0; t < steps; t++) { /* => rewritten */
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] = 0.2 * (a[i * n + j] + a[(i - 1) * n + j] + a[(i + 1) * n + j]
                              + a[i * n + j - 1] + a[i * n + j + 1]);
    double *s = a;
    a = b;
    b = s;
  }
  show("a", a, n * n);
  free(a);
  free(b);
  return 0;
}
