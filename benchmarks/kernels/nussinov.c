/* nussinov: Nussinov's RNA folding, table[i][j] = largest number of nested base pairs within
 * seq[i..j]; bases 0 to 3 pair when they add up to 3 and are not neighbours. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(12, 100, 300, 2500)
#endif

#define MAX(a, b) ((a) >= (b) ? (a) : (b))
#define PAIR(a, b) ((a) + (b) == 3 ? 1 : 0)

static void init(int n, int seq[n], int table[n][n])
{
  for (int i = 0; i < n; i++)
    seq[i] = (int)(bench_hash('s', i, 0) % 4);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      table[i][j] = 0;
}

__attribute__((noinline))
static void kernel_nussinov(int n, int seq[n], int table[n][n])
{
  int i, j, k;

#pragma scop
  for (i = n - 1; i >= 0; i--)
    for (j = i + 1; j < n; j++) {
      if (j - 1 >= 0)
        table[i][j] = MAX(table[i][j], table[i][j - 1]);
      if (i + 1 < n)
        table[i][j] = MAX(table[i][j], table[i + 1][j]);
      if (j - 1 >= 0 && i + 1 < n) {
        if (i < j - 1)
          table[i][j] = MAX(table[i][j], table[i + 1][j - 1] + PAIR(seq[i], seq[j]));
        else
          table[i][j] = MAX(table[i][j], table[i + 1][j - 1]);
      }
      for (k = i + 1; k < j; k++)
        table[i][j] = MAX(table[i][j], table[i][k] + table[k + 1][j]);
    }
#pragma endscop
}

static void dump(int n, int table[n][n])
{
  bench_dump("table", 'i', table, 2, n, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int n = N;
  int *seq = bench_alloc(sizeof(int[n]));
  int (*table)[n] = bench_alloc(sizeof(int[n][n]));

  while (bench_again(&bench)) {
    init(n, seq, table);
    if (bench_inputs(&bench)) {
      bench_dump("in.seq", 'i', seq, 1, n);
      bench_dump("in.table", 'i', table, 2, n, n);
    }
    bench_start(&bench);
    kernel_nussinov(n, seq, table);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, table);
  free(seq);
  free(table);
  return 0;
}
