/* The two grids are members that change places, by a function. */
#include <stdlib.h>
#include "show.h"

typedef struct {
  int nx, ny;
  double *cur, *old;
} Wave;

static void flip(Wave *w)
{
  double *t = w->cur;
  w->cur = w->old;
  w->old = t;
}

static void wave_step(Wave *w)
{
  int nx = w->nx, ny = w->ny;
  double *cur = w->cur, *old = w->old;
  for (int i = 1; i < nx - 1; i++) /* => either */
    for (int j = 1; j < ny - 1; j++)
      old[i * ny + j] = 2 * cur[i * ny + j] - old[i * ny + j]
          + 0.1 * (cur[(i - 1) * ny + j] + cur[(i + 1) * ny + j] + cur[i * ny + j - 1]
                   + cur[i * ny + j + 1] - 4 * cur[i * ny + j]);
}

int main(void)
{
  Wave w = {34, 38, calloc(34 * 38, 8), calloc(34 * 38, 8)};
  w.cur[17 * 38 + 19] = w.old[17 * 38 + 19] = 1.0;
  for (int t = 0; t < 12; t++) { /* => rewritten */
    wave_step(&w);
    flip(&w);
  }
  show("cur", w.cur, 34 * 38);
  free(w.cur);
  free(w.old);
  return 0;
}
