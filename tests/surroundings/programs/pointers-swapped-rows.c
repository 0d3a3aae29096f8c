/* Swapped pointers to rows: double (*cur)[N]. */
#include "show.h"

#define N 400

static double first[N][N], second[N][N];

int main(void)
{
  double (*cur)[N] = first, (*nxt)[N] = second;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      cur[i][j] = nxt[i][j] = (i * 5 + j * 3) % 17;
  for (int step = 0; step < 9; step++) { /* => rewritten */
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        nxt[i][j] = (cur[i - 1][j] + cur[i + 1][j] + cur[i][j - 1] + cur[i][j + 1]) / 4;
    double (*tmp)[N] = cur;
    cur = nxt;
    nxt = tmp;
  }
  show("cur", &cur[0][0], N * N);
  return 0;
}
