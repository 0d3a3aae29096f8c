/* Three planes in turn, as waves need them. */
#include <stdlib.h>
#include "show.h"

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 200;
  double *old = calloc(n * n, 8), *now = calloc(n * n, 8), *next = calloc(n * n, 8);
  now[n * n / 2 + n / 2] = old[n * n / 2 + n / 2] = 1.0;
  for (int t = 0; t < 20; t++) { /* => rewritten */
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i * n + j] = 2 * now[i * n + j] - old[i * n + j]
            + 0.2 * (now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1]
                     + now[i * n + j + 1] - 4 * now[i * n + j]);
    double *spare = old;
    old = now;
    now = next;
    next = spare;
  }
  show("now", now, n * n);
  free(old);
  free(now);
  free(next);
  return 0;
}
