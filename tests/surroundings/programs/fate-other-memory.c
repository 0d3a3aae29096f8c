/* A function that is called with one array and then with another one. */
#include <math.h>
#include "show.h"

static double grid[5][30][30];

static void error_norm(double rms[5])
{
  for (int m = 0; m < 5; m++)
    rms[m] = 0.0;
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 30; j++)
      for (int m = 0; m < 5; m++) {
        double add = grid[m][i][j] - 0.5;
        rms[m] += add * add;
      }
  for (int m = 0; m < 5; m++)
    rms[m] = sqrt(rms[m] / 900);
}

static void advance(int steps)
{
  for (int t = 0; t < steps; t++) /* => rewritten */
    for (int m = 0; m < 5; m++)
      for (int i = 1; i < 29; i++)
        for (int j = 1; j < 29; j++)
          grid[m][i][j] = 0.25 * (grid[m][i - 1][j] + grid[m][i + 1][j] + grid[m][i][j - 1]
                                  + grid[m][i][j + 1]);
}

int main(void)
{
  double xce[5], xcr[5];
  for (int m = 0; m < 5; m++)
    for (int i = 0; i < 30; i++)
      for (int j = 0; j < 30; j++)
        grid[m][i][j] = (m + i * j) % 9;
  error_norm(xce);
  advance(8);
  error_norm(xcr);
  show("xce", xce, 5);
  show("xcr", xcr, 5);
  return 0;
}
