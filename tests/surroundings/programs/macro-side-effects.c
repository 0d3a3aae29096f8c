/* Macros that evaluate their arguments twice, or count. */
#include "show.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define COUNTED(x) ({ evaluations++; (x); })

static int evaluations;
static double a[24][24], b[24][24], c[24];

static void run(int n)
{
  int at = 0;
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        b[i][j] += COUNTED(a[i][k]) * MAX(a[k][j], COUNTED(a[j][k]));
  for (int i = 0; i < n && at < n - 2; i++)
    c[i] = MAX(a[0][at++], a[1][at++]);
}

int main(void)
{
  for (int i = 0; i < 24; i++)
    for (int j = 0; j < 24; j++)
      a[i][j] = (i * 7 + j * 3) % 10;
  run(24);
  printf("%d\n", evaluations);
  show("b", &b[0][0], 576);
  show("c", c, 24);
  return 0;
}
