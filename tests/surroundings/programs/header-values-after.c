/* The values of both variables of a header are used behind the loop. */
#include "show.h"

static double a[30][30], b[30][30];

static int run(int n)
{
  int i, j, total = 0;
  for (i = 0, j = n - 1; i < j; i++, j--) /* => either */
    for (int k = 0; k < n; k++)
      for (int l = 0; l < n; l++)
        b[k][i] += a[l][j] * a[k][l];
  total = 100 * i + j;
  return total;
}

int main(void)
{
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 30; j++)
      a[i][j] = (i + j * 7) % 12;
  printf("%d %d\n", run(30), run(29));
  show("b", &b[0][0], 900);
  return 0;
}
