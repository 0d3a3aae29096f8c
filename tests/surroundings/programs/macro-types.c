/* A type, a suffix and a function by macros; ## builds the names. */
#include <math.h>
#include "show.h"

#ifdef USE_FLOAT
#define REAL float
#define R(x) x##f
#define FN(name) name##f
#else
#define REAL double
#define R(x) x
#define FN(name) name
#endif
#define GRID(name) REAL name##_grid[SIZE][SIZE]
#define SIZE 40

static GRID(u);
static GRID(v);

static void waves(int n, int steps)
{
  for (int t = 0; t < steps; t++) { /* => rewritten */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          v_grid[i][j] += R(0.25) * u_grid[i][k] * u_grid[k][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u_grid[i][j] = FN(sqrt)(FN(fabs)(v_grid[i][j]) + R(0.5));
  }
}

int main(void)
{
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      u_grid[i][j] = v_grid[i][j] = (REAL)((i * j) % 12);
  waves(SIZE, 4);
  show("u", (double *)u_grid, SIZE * SIZE);
  return 0;
}
