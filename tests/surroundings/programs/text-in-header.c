/* Functions with and without loops come from a header of the program's own. */
#include "show.h"
#include "text-in-header.h"

static double a[300][300], b[300][300];

static void relax(int n, int rounds)
{
  for (int r = 0; r < rounds; r++) /* => rewritten */
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++)
        a[i][j] += header_mix(b[j][i], header_mix(b[r][j], b[j][r]));
}

int main(void)
{
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 300; j++) {
      a[i][j] = (i + j) % 7;
      b[i][j] = (i * j) % 7;
    }
  header_scale(90000, &b[0][0], 2);
  relax(300, 6);
  show("a", &a[0][0], 90000);
  return 0;
}
