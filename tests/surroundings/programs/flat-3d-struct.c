/* A grid with its extents in a struct, indexed by a macro that knows the struct. */
#include <stdlib.h>
#include "show.h"

typedef struct {
  int n[3];
  double *val;
} Grid;

#define G(g, i, j, k) (g)->val[((i) * (g)->n[1] + (j)) * (g)->n[2] + (k)]

static void smooth(const Grid *in, Grid *out, int times)
{
  for (int t = 0; t < times; t++) /* => rewritten */
    for (int i = 1; i < in->n[0] - 1; i++)
      for (int j = 1; j < in->n[1] - 1; j++)
        for (int k = 1; k < in->n[2] - 1; k++)
          G(out, i, j, k) += (G(in, i - 1, j, k) + G(in, i + 1, j, k) + G(in, i, j - 1, k)
                              + G(in, i, j + 1, k) + G(in, i, j, k - 1) + G(in, i, j, k + 1)) / 6;
}

int main(void)
{
  Grid a = {{12, 13, 14}, malloc(sizeof(double) * 12 * 13 * 14)};
  Grid b = {{12, 13, 14}, calloc(12 * 13 * 14, sizeof(double))};
  for (int i = 0; i < 12 * 13 * 14; i++)
    a.val[i] = (i % 53) * 0.01;
  smooth(&a, &b, 5);
  show("b", b.val, 12 * 13 * 14);
  free(a.val);
  free(b.val);
  return 0;
}
