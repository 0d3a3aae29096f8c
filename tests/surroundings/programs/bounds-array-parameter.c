/* The sizes come in an array of int that is const. */
#include <stdlib.h>
#include "show.h"

static void contract(const int dims[], const double *a, const double *b, double *c)
{
  for (int i = 0; i < dims[0]; i++) /* => rewritten */
    for (int j = 0; j < dims[1]; j++)
      for (int k = 0; k < dims[2]; k++)
        c[i * dims[1] + j] += a[i * dims[2] + k] * b[k * dims[1] + j];
}

int main(void)
{
  int dims[3] = {26, 31, 37};
  double *a = malloc(26 * 37 * 8), *b = malloc(37 * 31 * 8), *c = calloc(26 * 31, 8);
  for (int i = 0; i < 26 * 37; i++)
    a[i] = i % 6;
  for (int i = 0; i < 37 * 31; i++)
    b[i] = i % 5 - 2;
  contract(dims, a, b, c);
  show("c", c, 26 * 31);
  free(a);
  free(b);
  free(c);
  return 0;
}
