/* Two pointers into one array, at a distance that only the caller knows. */
#include "show.h"

static void add_shifted(int n, int m, double *to, const double *from)
{
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      to[i] += 0.5 * from[i];
}

static void blend(int n, double (*a)[n], double (*b)[n])
{
  for (int t = 0; t < 8; t++) /* => rewritten */
    for (int i = 0; i < n; i++)
      for (int j = 1; j < n; j++)
        a[i][j] += 0.25 * (b[j][i] + a[i][j - 1]);
}

int main(void)
{
  static double x[200], a[30][30], b[30][30];
  for (int i = 0; i < 200; i++)
    x[i] = i % 9;
  add_shifted(100, 5, x + 100, x);
  show("x", x, 200);
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 30; j++) {
      a[i][j] = i;
      b[i][j] = j;
    }
  blend(30, a, b);
  show("a", &a[0][0], 900);
  return 0;
}
