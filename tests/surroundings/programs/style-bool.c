/* bool, true and false decide around a nest. */
#include <stdbool.h>
#include "show.h"

static double a[32][32], b[32][32], c[32][32];

static bool multiply(int n, bool transposed, bool accumulate)
{
  if (!accumulate)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        c[i][j] = 0;
  if (transposed) {
    for (int i = 0; i < n; i++) /* => rewritten */
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          c[i][j] += a[i][k] * b[j][k];
  } else {
    for (int i = 0; i < n; i++) /* => rewritten */
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          c[i][j] += a[i][k] * b[k][j];
  }
  return true;
}

int main(void)
{
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 32; j++) {
      a[i][j] = (i + j * 3) % 7;
      b[i][j] = (i * 2 + j) % 6;
    }
  bool fine = multiply(32, false, false) && multiply(32, true, true);
  printf("%d\n", fine);
  show("c", &c[0][0], 1024);
  return 0;
}
