/* Helpers that count their calls, or remember what they saw last. */
#include "show.h"

static double a[26][26], b[26][26];
static long calls;

static double counted(double x)
{
  calls++;
  return x * 0.5;
}

static double smoothed(double x)
{
  static double last;
  last = 0.5 * last + 0.5 * x;
  return last;
}

static void run(int n)
{
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        b[i][j] += counted(a[i][k]) * a[k][j];
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++)
      a[j][i] = smoothed(b[j][i]);
}

int main(void)
{
  for (int i = 0; i < 26; i++)
    for (int j = 0; j < 26; j++)
      a[i][j] = (i * 5 + j) % 8;
  run(26);
  printf("%ld\n", calls);
  show("a", &a[0][0], 676);
  show("b", &b[0][0], 676);
  return 0;
}
