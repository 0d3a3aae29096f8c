/* A sieve, whose inner loop steps by what it has found. */
#include "show.h"

#define N 500

static char composite[N];
static double d[N / 10][N / 10], e[N / 10][N / 10];

static int sieve(int n)
{
  int count = 0;
  for (int i = 2; i < n; i++) { /* => left: composite */
    if (composite[i])
      continue;
    count++;
    for (int j = i * i; j < n; j += i)
      composite[j] = 1;
  }
  return count;
}

int main(void)
{
  printf("%d\n", sieve(N));
  for (int i = 0; i < N / 10; i++)
    for (int j = 0; j < N / 10; j++)
      d[i][j] = composite[(i * 10 + j) % N];
  for (int i = 0; i < N / 10; i++) /* => rewritten */
    for (int j = 0; j < N / 10; j++)
      for (int k = 0; k < N / 10; k++)
        e[i][j] += d[i][k] * d[k][j];
  show("e", &e[0][0], N * N / 100);
  return 0;
}
