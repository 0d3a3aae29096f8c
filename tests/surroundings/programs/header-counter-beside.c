/* A counter that runs beside the loops and numbers what they see. */
#include <stdlib.h>
#include "show.h"

static void pack(int n, double m[n][n], double *out)
{
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[k++] = m[i][j];
}

static void weigh(int n, const double *packed, double (*w)[n], int rounds)
{
  for (int r = 0; r < rounds; r++) { /* => rewritten */
    int at = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++, at++)
        w[j][i] += packed[at] * (i + 1) + w[j][i] * 0.25;
  }
}

int main(void)
{
  enum { N = 30 };
  double (*m)[N] = malloc(sizeof(double[N][N])), *out = malloc(sizeof(double) * N * N);
  double (*w)[N] = calloc(N, sizeof(double[N]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      m[i][j] = (i * j) % 13;
  pack(N, m, out);
  weigh(N, out, w, 7);
  show("w", &w[0][0], N * N);
  free(m);
  free(out);
  free(w);
  return 0;
}
