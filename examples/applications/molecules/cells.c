#include "molecules.h"

#include <stdlib.h>
#include <string.h>

int neighbours_create(Neighbours *n, const System *s, real skin)
{
  memset(n, 0, sizeof *n);
  n->reach = s->cutoff + skin;
  n->cells = (int)(s->side / n->reach);
  if (n->cells < 1)
    n->cells = 1;
  n->room = s->count * 120;
  n->head = malloc(sizeof(int) * n->cells * n->cells * n->cells);
  n->next = malloc(sizeof(int) * s->count);
  n->start = malloc(sizeof(int) * (s->count + 1));
  n->near = malloc(sizeof(int) * n->room);
  if (n->head && n->next && n->start && n->near)
    return 0;
  neighbours_destroy(n);
  return -1;
}

void neighbours_destroy(Neighbours *n)
{
  free(n->head);
  free(n->next);
  free(n->start);
  free(n->near);
  memset(n, 0, sizeof *n);
}

static int cell_of(const Neighbours *n, const System *s, const real *pos)
{
  int at = 0;
  for (int d = 0; d < DIM; d++) {
    int c = (int)(pos[d] / s->side * n->cells);
    at = at * n->cells + (c < 0 ? 0 : c >= n->cells ? n->cells - 1 : c);
  }
  return at;
}

static int is_near(const Neighbours *n, const System *s, int i, int j)
{
  real r2 = 0;
  for (int d = 0; d < DIM; d++) {
    real r = wrapped(s->molecules[i].pos[d] - s->molecules[j].pos[d], s->side);
    r2 += r * r;
  }
  return r2 < n->reach * n->reach;
}

/* All pairs that are near, each once. */
int neighbours_find(Neighbours *n, const System *s)
{
  int c = n->cells, used = 0;
  for (int i = 0; i < c * c * c; i++)
    n->head[i] = -1;
  for (int i = 0; i < s->count; i++) {
    int cell = cell_of(n, s, s->molecules[i].pos);
    n->next[i] = n->head[cell];
    n->head[cell] = i;
  }
  for (int i = 0; i < s->count; i++) {
    int cell = cell_of(n, s, s->molecules[i].pos);
    int cx = cell / (c * c), cy = cell / c % c, cz = cell % c;
    n->start[i] = used;
    if (c < 3) {
      for (int j = i + 1; j < s->count && used < n->room; j++)
        if (is_near(n, s, i, j))
          n->near[used++] = j;
      continue;
    }
    for (int dx = -1; dx <= 1; dx++)
      for (int dy = -1; dy <= 1; dy++)
        for (int dz = -1; dz <= 1; dz++) {
          int x = (cx + dx + c) % c, y = (cy + dy + c) % c, z = (cz + dz + c) % c;
          for (int j = n->head[(x * c + y) * c + z]; j >= 0; j = n->next[j])
            if (j > i && used < n->room && is_near(n, s, i, j))
              n->near[used++] = j;
        }
  }
  n->start[s->count] = used;
  return used < n->room ? used : -1;
}
