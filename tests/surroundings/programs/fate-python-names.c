/* Parameters whose names mean something elsewhere. */
#include "show.h"

static void scale(int True, int None, double lambda, double (*in)[None], double (*def)[None])
{
  for (int t = 0; t < 10; t++) /* => rewritten */
    for (int i = 1; i < True - 1; i++)
      for (int j = 1; j < None - 1; j++)
        def[i][j] = lambda * (in[i][j] + def[i - 1][j] + def[i][j - 1] + def[i + 1][j]);
}

static void exists(int and, int mod, double exists[and][mod])
{
  for (int k = 0; k < mod; k++) /* => rewritten */
    for (int floor = 1; floor < and; floor++)
      for (int max = 1; max < mod; max++)
        exists[floor][max] += exists[floor - 1][max - 1] * 0.5;
}

int main(void)
{
  double a[20][24], b[20][24];
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 24; j++) {
      a[i][j] = (i + j) % 7;
      b[i][j] = 1;
    }
  scale(20, 24, 0.25, a, b);
  exists(20, 24, b);
  show("b", &b[0][0], 20 * 24);
  return 0;
}
