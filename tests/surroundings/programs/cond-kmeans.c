/* k-means: the nearest centre by a conditional scalar, and sums by it. */
#include <string.h>
#include "show.h"

#define POINTS 200
#define DIMS 4
#define K 5

static double point[POINTS][DIMS], centre[K][DIMS], sum[K][DIMS];
static int count[K], label[POINTS];

static int assign(int n, int k, int dims)
{
  int changed = 0;
  for (int i = 0; i < n; i++) { /* => rewritten */
    int nearest = 0;
    double least = 1e300;
    for (int c = 0; c < k; c++) {
      double d = 0;
      for (int x = 0; x < dims; x++)
        d += (point[i][x] - centre[c][x]) * (point[i][x] - centre[c][x]);
      if (d < least) {
        least = d;
        nearest = c;
      }
    }
    if (label[i] != nearest) {
      label[i] = nearest;
      changed++;
    }
  }
  return changed;
}

static void move(int n, int k, int dims)
{
  memset(sum, 0, sizeof sum);
  memset(count, 0, sizeof count);
  for (int i = 0; i < n; i++) {
    for (int x = 0; x < dims; x++)
      sum[label[i]][x] += point[i][x];
    count[label[i]]++;
  }
  for (int c = 0; c < k; c++)
    for (int x = 0; x < dims; x++)
      if (count[c] > 0)
        centre[c][x] = sum[c][x] / count[c];
}

int main(void)
{
  for (int i = 0; i < POINTS; i++)
    for (int x = 0; x < DIMS; x++)
      point[i][x] = (i * 37 % 101) * (x + 1) % 29;
  for (int c = 0; c < K; c++)
    for (int x = 0; x < DIMS; x++)
      centre[c][x] = point[c * 40][x];
  int rounds = 0;
  while (assign(POINTS, K, DIMS) > 0 && rounds < 20) {
    move(POINTS, K, DIMS);
    rounds++;
  }
  printf("%d rounds\n", rounds);
  show("centre", &centre[0][0], K * DIMS);
  return 0;
}
