/* The extremes of each column, by two conditional scalars. */
#include "show.h"

#define R 50
#define C 40

static double x[R][C], lo[C], hi[C];

static void extremes(int r, int c)
{
  for (int j = 0; j < c; j++) { /* => rewritten */
    double least = x[0][j], most = x[0][j];
    for (int i = 1; i < r; i++) {
      if (x[i][j] < least)
        least = x[i][j];
      if (x[i][j] > most)
        most = x[i][j];
    }
    lo[j] = least;
    hi[j] = most;
  }
}

int main(void)
{
  for (int i = 0; i < R; i++)
    for (int j = 0; j < C; j++)
      x[i][j] = (i * 43 + j * 59) % 211;
  extremes(R, C);
  show("lo", lo, C);
  show("hi", hi, C);
  return 0;
}
