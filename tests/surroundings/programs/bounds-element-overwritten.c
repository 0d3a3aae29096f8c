/* The sizes are in an array of int, and the nest writes that array, too. */
#include "show.h"

static int work[600];

static void fill(void)
{
  for (int i = 0; i < work[100]; i++) /* => either */
    for (int j = 0; j < work[101]; j++)
      work[i * 4 + j] = i + 2 * j + work[101] % 3;
}

static void product(void)
{
  for (int i = 0; i < work[102]; i++) /* => either */
    for (int j = 0; j < work[102]; j++)
      for (int k = 0; k < work[102]; k++)
        work[90 + i * work[102] + j] += (i * k + j) % 7;
}

int main(void)
{
  work[100] = 30;
  work[101] = 7;
  work[102] = 12;
  fill();
  printf("%d %d %d\n", work[100], work[101], work[102]);
  work[102] = 12;
  product();
  int sum = 0;
  for (int i = 0; i < 600; i++)
    sum = (sum * 31 + work[i]) % 1000003;
  printf("%d\n", sum);
  return 0;
}
