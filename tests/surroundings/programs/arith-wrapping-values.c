/* Unsigned values that wrap around, which is right, with unsigned subscripts that must not. */
#include <stdio.h>

#define N 30u

static unsigned h[N][N], key[N][N];

static void mix(unsigned n, unsigned rounds)
{
  for (unsigned i = 1; i < n; i++) /* => rewritten */
    for (unsigned j = 1; j < n; j++)
      for (unsigned r = 0; r < rounds; r++)
        h[i][j] = h[i][j] * 2654435761u + (key[r][j] ^ key[i][r]) - r;
}

int main(void)
{
  for (unsigned i = 0; i < N; i++)
    for (unsigned j = 0; j < N; j++) {
      key[i][j] = (i - j) * 0x01000193u;
      h[i][j] = i * j + 1;
    }
  mix(N, N);
  unsigned sum = 0;
  for (unsigned i = 0; i < N * N; i++)
    sum = (sum << 5) - sum + h[i / N][i % N];
  printf("%u\n", sum);
  return 0;
}
