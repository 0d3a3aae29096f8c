/* What gcc takes with a warning: implicit int, and a function without a declaration. */
#include "show.h"

static double a[30][30], b[30][30], c[30][30];

static count = 30;

static multiply(n)
{
  register i, j, k;
  for (i = 0; i < n; i++) /* => rewritten */
    for (j = 0; j < n; j++)
      for (k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
  return 0;
}

main()
{
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      a[i][j] = (i + j) % 3;
      b[i][j] = (i * j) % 5;
    }
  multiply(count);
  show("c", &c[0][0], 900);
  return 0;
}
