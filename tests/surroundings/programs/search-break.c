/* break ends a search; what is around it is still a nest, or nests inside of it are. */
#include "show.h"

static double a[30][30], b[30][30];

static int find(int n, const double *x, double key)
{
  int at = -1;
  for (int i = 0; i < n; i++)
    if (x[i] == key) {
      at = i;
      break;
    }
  return at;
}

static int iterate(int n, double tolerance)
{
  int count;
  for (count = 0; count < 60; count++) {
    double change = 0;
    for (int i = 1; i < n - 1; i++) /* => rewritten */
      for (int j = 1; j < n - 1; j++)
        for (int k = 0; k < n; k++)
          b[i][j] += 0.02 * a[i][k] * a[k][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double d = b[i][j] - a[i][j];
        change += d * d;
        a[i][j] = b[i][j];
      }
    if (change < tolerance)
      break;
  }
  return count;
}

int main(void)
{
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 30; j++)
      a[i][j] = (i * j) % 5 * 0.05;
  printf("%d steps\n", iterate(30, 1e-14));
  printf("%d\n", find(900, &a[0][0], a[4][9]));
  show("a", &a[0][0], 900);
  return 0;
}
