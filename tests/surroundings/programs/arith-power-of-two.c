/* Sizes that are shifts, and masks in the values. */
#include <stdint.h>
#include <stdio.h>

#define LOG 5

static uint32_t a[1 << LOG][1 << LOG], b[1 << LOG][1 << LOG], c[1 << LOG][1 << LOG];

static void product(int log)
{
  int n = 1 << log;
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] ^= (a[i][k] & b[k][j]) << (k & 7);
}

int main(void)
{
  for (uint32_t i = 0; i < 1 << LOG; i++)
    for (uint32_t j = 0; j < 1 << LOG; j++) {
      a[i][j] = i * 0x9e3779b1u + j;
      b[i][j] = j * 0x85ebca6bu ^ i;
    }
  product(LOG);
  uint32_t sum = 0;
  for (int i = 0; i < 1 << LOG; i++)
    for (int j = 0; j < 1 << LOG; j++)
      sum = sum * 31 + c[i][j];
  printf("%u\n", sum);
  return 0;
}
