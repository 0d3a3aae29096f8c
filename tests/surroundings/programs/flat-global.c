/* Global flat arrays with constant extents. */
#include "show.h"

#define ROWS 40
#define COLS 36

static double table[ROWS * COLS], other[COLS * ROWS], result[ROWS * ROWS];

static void fill(void)
{
  for (int i = 0; i < ROWS * COLS; i++) {
    table[i] = (i % 23) * 0.3;
    other[i] = (i % 19) - 9;
  }
}

static void multiply(void)
{
  for (int i = 0; i < ROWS; i++) /* => rewritten */
    for (int j = 0; j < ROWS; j++)
      for (int k = 0; k < COLS; k++)
        result[i * ROWS + j] += table[i * COLS + k] * other[k * ROWS + j];
}

int main(void)
{
  fill();
  for (int times = 0; times < 3; times++)
    multiply();
  show("result", result, ROWS * ROWS);
  return 0;
}
