/* while (p < end), while (n--), and pointers as the counters of for. */
#include <stdlib.h>
#include "show.h"

static void matvec(size_t n, const double *a, const double *x, double *y, size_t times)
{
  while (times--) { /* => rewritten */
    const double *row = a;
    for (size_t i = 0; i < n; i++, row += n) {
      const double *p = row, *end = row + n, *q = x;
      double s = 0.0;
      while (p < end)
        s += *p++ * *q++;
      y[i] += s;
    }
  }
}

int main(void)
{
  size_t n = 45;
  double *a = malloc(n * n * sizeof *a), *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y);
  for (double *p = a; p != a + n * n; ++p)
    *p = (double)((p - a) % 13) / 13;
  for (size_t i = 0; i < n; i++)
    x[i] = i % 3;
  matvec(n, a, x, y, 5);
  show("y", y, (long)n);
  free(a);
  free(x);
  free(y);
  return 0;
}
