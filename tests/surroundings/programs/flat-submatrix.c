/* A block in the middle of a bigger matrix, its corner given by offsets. */
#include <stdlib.h>
#include "show.h"

static void rank_one_updates(double *a, int ld, int r0, int c0, int rows, int cols,
                             const double *x, const double *y, int count)
{
  for (int k = 0; k < count; k++) /* => rewritten */
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < cols; j++)
        a[(r0 + i) * ld + c0 + j] -= x[k * rows + i] * y[k * cols + j];
}

int main(void)
{
  int ld = 60, rows = 30, cols = 28, count = 20;
  double *a = malloc(sizeof(double) * 50 * ld);
  double *x = malloc(sizeof(double) * rows * count), *y = malloc(sizeof(double) * cols * count);
  for (int i = 0; i < 50 * ld; i++)
    a[i] = i % 101;
  for (int i = 0; i < rows * count; i++)
    x[i] = i % 7 - 3;
  for (int i = 0; i < cols * count; i++)
    y[i] = (i % 9) / 4.0;
  rank_one_updates(a, ld, 12, 20, rows, cols, x, y, count);
  show("a", a, 50 * ld);
  free(a);
  free(x);
  free(y);
  return 0;
}
