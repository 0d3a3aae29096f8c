/* Names with a dollar, which gcc takes, and with letters that are not ASCII. */
#include "show.h"

static void résoudre(int n$, double é[n$][n$], double x$$[n$][n$])
{
  for (int t = 0; t < n$; t++) /* => rewritten */
    for (int i = 1; i < n$ - 1; i++)
      for (int j = 1; j < n$ - 1; j++)
        é[i][j] += x$$[i][j] * (é[i - 1][j] + é[i][j - 1]) * 0.1;
}

int main(void)
{
  static double a[30][30], b[30][30];
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 30; j++) {
      a[i][j] = i ^ j;
      b[i][j] = 1.0 / (1 + i + j);
    }
  résoudre(30, a, b);
  show("a", &a[0][0], 900);
  return 0;
}
