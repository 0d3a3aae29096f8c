/* A histogram: each iteration may meet any bin. */
#include <stdlib.h>
#include "show.h"

static void histogram(int n, const unsigned char *x, int bins[256])
{
  for (int i = 0; i < n; i++)
    bins[x[i]]++;
}

static void joint(int n, double (*p)[n], const double *w)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        p[j][i] += w[i] * w[j] * w[k];
}

int main(void)
{
  int bins[256] = {0};
  unsigned char *x = malloc(1000);
  static double p[26][26], w[26];
  for (int i = 0; i < 1000; i++)
    x[i] = (unsigned char)(i * i);
  histogram(1000, x, bins);
  for (int i = 0; i < 26; i++)
    w[i] = bins[i * 9] / 100.0;
  joint(26, p, w);
  show("p", &p[0][0], 676);
  free(x);
  return 0;
}
