/* Sizes by enum, static const and const global: all the same to people. */
#include "show.h"

enum { ROWS = 30, COLS = 34 };
static const int depth = 26;
const int rounds = 3;

static double a[ROWS][26], b[26][COLS], c[ROWS][COLS];

static void multiply(void)
{
  for (int r = 0; r < rounds; r++) /* => rewritten */
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLS; j++)
        for (int k = 0; k < depth; k++)
          c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
  for (int k = 0; k < depth; k++) {
    for (int i = 0; i < ROWS; i++)
      a[i][k] = (i * k) % 5;
    for (int j = 0; j < COLS; j++)
      b[k][j] = (j + k) % 6;
  }
  multiply();
  show("c", &c[0][0], ROWS * COLS);
  return 0;
}
