/* Where a walking pointer ends is used behind the loops. */
#include <stdlib.h>
#include "show.h"

static double *pack(int n, double (*m)[n], double *p)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      *p++ = m[i][j] + m[j][i];
  return p;
}

static long weigh(int n, const double *p, double (*w)[n])
{
  const double *start = p;
  for (int i = 0; i < n; i++, p++) /* => either */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        w[j][i] += p[j] * p[k] * 0.01;
  return p - start;
}

int main(void)
{
  static double m[28][28], w[28][28], packed[28 * 28];
  for (int i = 0; i < 28; i++)
    for (int j = 0; j < 28; j++)
      m[i][j] = (i * 3 + j) % 10;
  double *end = pack(28, m, packed);
  printf("%ld\n", (long)(end - packed));
  printf("%ld\n", weigh(28, packed, w));
  show("w", &w[0][0], 784);
  return 0;
}
