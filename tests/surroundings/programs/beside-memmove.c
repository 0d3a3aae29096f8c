/* memset, memcpy and memmove of parts, of bytes, and across the members of a struct. */
#include <string.h>
#include "show.h"

#define N 32

typedef struct {
  double u[N][N], v[N][N];
  int count[N];
} State;

static State s;

static void run(int n, int steps)
{
  for (int t = 0; t < steps; t++) { /* => either */
    memmove(&s.u[1][0], &s.u[0][0], sizeof(double) * N * (n - 1));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        s.v[i][j] += 0.5 * s.u[j][i];
    memset(s.count, 1, sizeof(int) * (n / 2) + 2);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        s.u[i][j] = 0.25 * s.v[i][j] + s.count[j] % 5;
    memcpy(s.v[n - 1], s.u[0], sizeof s.v[0]);
  }
  memset(&s.u[n / 2][n / 2], 0, sizeof(double) * (N * N / 2));
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      s.u[i][j] = (i * 3 + j) % 11;
      s.v[i][j] = (i + j) % 5;
    }
  run(N, 4);
  show("u", &s.u[0][0], N * N);
  show("v", &s.v[0][0], N * N);
  printf("%d %d %d\n", s.count[0], s.count[N / 2], s.count[N - 1]);
  return 0;
}
