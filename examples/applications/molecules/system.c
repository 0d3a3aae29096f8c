#include "molecules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state = 88172645463325252ull;

static real random_real(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (real)(state >> 11) / 9007199254740992.0;
}

/* Twelve numbers in a row are almost of Gauss. */
static real random_normal(void)
{
  real sum = -6.0;
  for (int i = 0; i < 12; i++)
    sum += random_real();
  return sum;
}

/* Face-centred cells: four molecules in each. */
int system_create(System *s, int cells, real density, real temperature, real dt)
{
  static const real basis[4][DIM] = {{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}};
  real edge;
  int at = 0;
  s->count = 4 * cells * cells * cells;
  s->side = cbrt(s->count / density);
  s->cutoff = fmin(2.5, 0.49 * s->side);
  s->dt = dt;
  s->potential = s->virial = 0;
  s->molecules = calloc(s->count, sizeof *s->molecules);
  s->trail = calloc(s->count, sizeof *s->trail);
  if (!s->molecules || !s->trail) {
    system_destroy(s);
    return -1;
  }
  edge = s->side / cells;
  for (int i = 0; i < cells; i++)
    for (int j = 0; j < cells; j++)
      for (int k = 0; k < cells; k++)
        for (int b = 0; b < 4; b++, at++) {
          Molecule *m = &s->molecules[at];
          m->pos[0] = (i + basis[b][0] + 0.25) * edge;
          m->pos[1] = (j + basis[b][1] + 0.25) * edge;
          m->pos[2] = (k + basis[b][2] + 0.25) * edge;
          for (int d = 0; d < DIM; d++) {
            m->vel[d] = sqrt(temperature) * random_normal();
            s->trail[at][d] = m->pos[d];
          }
        }
  stop_drift(s);
  rescale(s, temperature);
  return 0;
}

void system_destroy(System *s)
{
  free(s->molecules);
  free(s->trail);
  memset(s, 0, sizeof *s);
}

void stop_drift(System *s)
{
  for (int d = 0; d < DIM; d++) {
    real sum = 0;
    for (int i = 0; i < s->count; i++)
      sum += s->molecules[i].vel[d];
    sum /= s->count;
    for (int i = 0; i < s->count; i++)
      s->molecules[i].vel[d] -= sum;
  }
}

void rescale(System *s, real temperature)
{
  real sum = 0, factor;
  for (int i = 0; i < s->count; i++)
    for (int d = 0; d < DIM; d++)
      sum += s->molecules[i].vel[d] * s->molecules[i].vel[d];
  factor = sqrt(temperature * DIM * s->count / sum);
  for (int i = 0; i < s->count; i++)
    for (int d = 0; d < DIM; d++)
      s->molecules[i].vel[d] *= factor;
}

void half_kick(System *s)
{
  for (int i = 0; i < s->count; i++) {
    Molecule *m = s->molecules + i;
    for (int d = 0; d < DIM; d++)
      m->vel[d] += 0.5 * s->dt * m->force[d];
  }
}

void drift(System *s)
{
  for (int i = 0; i < s->count; i++) {
    Molecule *m = s->molecules + i;
    for (int d = 0; d < DIM; d++) {
      real way = s->dt * m->vel[d];
      s->trail[i][d] += way;
      m->pos[d] += way;
      if (m->pos[d] < 0)
        m->pos[d] += s->side;
      else if (m->pos[d] >= s->side)
        m->pos[d] -= s->side;
    }
  }
}
