/* An index that comes out of a function of a member: one loop that crashed, beside others. */
#include <stdlib.h>
#include "show.h"

typedef struct {
  int *sorted;
  int count;
  double *score;
} Table;

int look(int *sorted)
{
  static int calls = 0;
  return sorted[calls++ % 16];
}

void pick(Table *t, double *out)
{
  for (int i = 0; i < t->count; i++) { /* => left: look */
    int id = look(t->sorted);
    out[i] = t->score[id];
  }
}

void spread(int n, double (*m)[n], const double *v)
{
  for (int r = 0; r < n; r++) /* => rewritten */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        m[j][i] += v[j] * v[r] * m[j][i] * 0.01;
}

int main(void)
{
  int order[16];
  double score[16], out[16], m[16][16];
  for (int i = 0; i < 16; i++) {
    order[i] = (i * 5 + 3) % 16;
    score[i] = i * 0.75;
    for (int j = 0; j < 16; j++)
      m[i][j] = i - j;
  }
  Table t = {order, 16, score};
  pick(&t, out);
  spread(16, m, out);
  show("out", out, 16);
  show("m", &m[0][0], 256);
  return 0;
}
