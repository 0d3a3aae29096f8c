/* Bit-fields and unions beside a nest of doubles. */
#include <stdint.h>
#include "show.h"

struct flags { unsigned wet : 1, depth : 7; };
union word { double value; uint64_t bits; };

static struct flags cell[30];
static union word w[30];
static double a[30][30], b[30][30];

static int count_wet(int n)
{
  int count = 0;
  for (int i = 0; i < n; i++) /* => left: wet */
    count += cell[i].wet;
  return count;
}

static void spread(int n)
{
  for (int i = 0; i < n; i++)
    w[i].value = a[i][i];
  for (int k = 0; k < n; k++) /* => rewritten */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        b[j][i] += a[i][j] * a[k][j];
}

int main(void)
{
  for (int i = 0; i < 30; i++) {
    cell[i].wet = i % 3 == 0;
    cell[i].depth = i;
    for (int j = 0; j < 30; j++)
      a[i][j] = (i * j) % 6;
  }
  spread(30);
  printf("%d %llx\n", count_wet(30), (unsigned long long)w[5].bits);
  show("b", &b[0][0], 900);
  return 0;
}
