/* A flag that a signal may set, and a register that must be read each time. */
#include <signal.h>
#include "show.h"

static volatile sig_atomic_t stop;
static volatile int device = 3;

static double a[26][26], b[26][26];

static void handler(int s) { (void)s; stop = 1; }

static int poll_device(int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++) /* => left: device */
    sum += device;
  return sum;
}

int main(void)
{
  signal(SIGINT, handler);
  for (int i = 0; i < 26; i++)
    for (int j = 0; j < 26; j++)
      a[i][j] = (i + 5 * j) % 8;
  for (int t = 0; t < 4 && !stop; t++)
    for (int i = 0; i < 26; i++) /* => rewritten */
      for (int j = 0; j < 26; j++)
        for (int k = 0; k < 26; k++)
          b[i][j] += a[i][k] * a[k][j];
  printf("%d\n", poll_device(10));
  show("b", &b[0][0], 676);
  return 0;
}
