/* floyd-warshall: shortest paths between all pairs of nodes, path[i][j] = min(path[i][j],
 * path[i][k] + path[k][j]) over every k, in integers. */
#include "bench.h"

#ifndef N
#define N BENCH_SIZE(10, 100, 300, 2800)
#endif

static void init(int n, int path[n][n])
{
  /* About one edge in three is there, of length 1 to 100; the others count as 9999. */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int h = (int)(bench_hash('p', i, j) % 300);
      path[i][j] = i == j ? 0 : h < 100 ? h + 1 : 9999;
    }
}

__attribute__((noinline))
static void kernel_floyd_warshall(int n, int path[n][n])
{
  int i, j, k;

#pragma scop
  for (k = 0; k < n; k++)
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
#pragma endscop
}

static void dump(int n, int path[n][n])
{
  bench_dump("path", 'i', path, 2, n, n);
}

int main(int argc, char **argv)
{
  struct bench bench = bench_begin(argc, argv);
  int n = N;
  int (*path)[n] = bench_alloc(sizeof(int[n][n]));

  while (bench_again(&bench)) {
    init(n, path);
    if (bench_inputs(&bench))
      bench_dump("in.path", 'i', path, 2, n, n);
    bench_start(&bench);
    kernel_floyd_warshall(n, path);
    bench_stop(&bench);
  }
  if (bench.dump)
    dump(n, path);
  free(path);
  return 0;
}
