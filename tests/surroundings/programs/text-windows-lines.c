/* Lines that end as on another system. */
#include "show.h"

static double a[28][28], b[28][28];

static void power(int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        b[i][j] += a[i][k] * a[k][j];
}

int main(void)
{
  for (int i = 0; i < 28; i++)
    for (int j = 0; j < 28; j++)
      a[i][j] = (i * 2 + j) % 9;
  power(28);
  show("b", &b[0][0], 784);
  return 0;
}
