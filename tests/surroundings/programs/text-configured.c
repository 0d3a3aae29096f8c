/* Conditional text in the middle of nests. */
#include "show.h"

#define USE_DAMPING 1
#ifndef ROUNDS
#define ROUNDS 40
#endif

static double u[300][300], v[300][300];

static void run(int n)
{
  for (int t = 0; t < ROUNDS; t++) { /* => left: #if */
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        v[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
#if USE_DAMPING
        v[i][j] *= 0.24;
#else
        v[i][j] *= 0.25;
#endif
      }
#ifdef TRACE
    printf("step %d\n", t);
#endif
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[i][j] = v[i][j];
  }
}

int main(void)
{
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 300; j++)
      u[i][j] = (i + 2 * j) % 15;
  run(300);
  show("u", &u[0][0], 90000);
  return 0;
}
