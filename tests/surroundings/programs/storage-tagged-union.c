/* A struct with two views of one memory, and rows that overlap by them. */
#include <stdint.h>
#include "show.h"

typedef union {
  double all[40 * 20];
  struct {
    double upper[20 * 20], lower[20 * 20];
  } half;
} Storage;

static Storage s;

static void work(int n)
{
  for (int i = 0; i < n; i++) /* => either */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        s.half.upper[i * n + j] += s.all[(n + k) * n + j] * 0.01 + s.all[k * n + i] * 0.001;
}

int main(void)
{
  for (int i = 0; i < 800; i++)
    s.all[i] = i % 7;
  work(20);
  show("all", s.all, 800);
  return 0;
}
