/* Largest elements where some are no numbers; which one comes first decides. */
#include <math.h>
#include "show.h"

#define N 40

static double x[N][N], most[N], least[N];

static void extremes(int n)
{
  for (int j = 0; j < n; j++) { /* => either */
    double hi = -INFINITY, lo = INFINITY;
    for (int i = 0; i < n; i++) {
      if (x[i][j] > hi)
        hi = x[i][j];
      lo = x[i][j] < lo ? x[i][j] : lo;
      if (!(x[i][j] <= 100))
        hi = 0.5 * hi;
    }
    most[j] = hi;
    least[j] = lo;
  }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x[i][j] = (i * j) % 7 == 3 ? NAN : (i * 31 + j * 17) % 130;
  extremes(N);
  show("most", most, N);
  show("least", least, N);
  return 0;
}
