/* Functions that nobody calls, and one that could not be read, beside one that is used. */
#include <setjmp.h>
#include "show.h"

static jmp_buf back;

static void give_up(int code) { longjmp(back, code); }

static int never(int n)
{
  int total = 0;
again:
  switch (n % 3) {
  case 0: n /= 3; goto again;
  case 1: total += n; n--; if (n > 0) goto again; break;
  default: give_up(n);
  }
  __asm__ volatile("nop");
  return total;
}

static double a[30][30], b[30][30];

static void smooth(int n, int t_end)
{
  for (int t = 0; t < t_end; t++) /* => rewritten */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] += b[i][t] * b[t][j] + 0.5 * b[j][i];
}

int main(int argc, char **argv)
{
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 30; j++)
      b[i][j] = (i + 4 * j) % 9;
  if (argc > 100)
    return never(argc);
  smooth(30, 5);
  show("a", &a[0][0], 900);
  return 0;
}
