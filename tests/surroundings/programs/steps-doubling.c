/* Loops whose step doubles around a nest that is regular. */
#include "show.h"

static double x[64][32], y[64][32];

static void haar(int n, int columns)
{
  for (int len = n; len > 1; len /= 2) {
    int half = len / 2;
    for (int i = 0; i < half; i++) /* => rewritten */
      for (int r = 0; r < 4; r++)
        for (int c = 0; c < columns; c++) {
          y[i][c] += (x[2 * i][c] + x[2 * i + 1][c]) * 0.125;
          y[half + i][c] += (x[2 * i][c] - x[2 * i + 1][c]) * 0.125;
        }
    for (int i = 0; i < len; i++)
      for (int c = 0; c < columns; c++)
        x[i][c] = y[i][c];
  }
}

int main(void)
{
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 32; j++)
      x[i][j] = (i * 3 + j) % 14;
  haar(64, 32);
  show("x", &x[0][0], 64 * 32);
  return 0;
}
