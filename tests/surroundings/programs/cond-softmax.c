/* Softmax of each row: a largest element, a sum of exponentials, a division. */
#include <math.h>
#include <stdlib.h>
#include "show.h"

static void softmax_rows(float *x, int rows, int cols)
{
  for (int r = 0; r < rows; r++) { /* => rewritten */
    float *row = x + r * cols;
    float max = row[0];
    for (int i = 1; i < cols; i++)
      if (row[i] > max)
        max = row[i];
    float sum = 0.0f;
    for (int i = 0; i < cols; i++) {
      row[i] = expf(row[i] - max);
      sum += row[i];
    }
    for (int i = 0; i < cols; i++)
      row[i] /= sum;
  }
}

int main(void)
{
  int rows = 30, cols = 50;
  float *x = malloc(rows * cols * sizeof(float));
  for (int i = 0; i < rows * cols; i++)
    x[i] = (float)(i * 7 % 13) * 0.5f;
  softmax_rows(x, rows, cols);
  show_floats("x", x, rows * cols);
  free(x);
  return 0;
}
