#include "molecules.h"

#include <math.h>

#define PI 3.14159265358979323846

void observe(const System *s, Observed *o)
{
  real sum = 0;
  for (int d = 0; d < DIM; d++)
    o->momentum[d] = 0;
  for (int i = 0; i < s->count; i++)
    for (int d = 0; d < DIM; d++) {
      real v = s->molecules[i].vel[d];
      sum += v * v;
      o->momentum[d] += v;
    }
  o->kinetic = 0.5 * sum / s->count;
  o->potential = s->potential / s->count;
  o->total = o->kinetic + o->potential;
  o->temperature = 2 * o->kinetic / DIM;
  o->pressure = (2 * o->kinetic * s->count + s->virial) / (3 * s->side * s->side * s->side);
}

/* How many more neighbours there are at a distance than in a gas. */
void radial_distribution(const System *s, real g[BINS])
{
  real most = 0.5 * s->side, width = most / BINS;
  real density = s->count / (s->side * s->side * s->side);
  for (int b = 0; b < BINS; b++)
    g[b] = 0;
  for (int i = 0; i < s->count; i++)
    for (int j = i + 1; j < s->count; j++) {
      real r2 = 0;
      for (int d = 0; d < DIM; d++) {
        real r = wrapped(s->molecules[i].pos[d] - s->molecules[j].pos[d], s->side);
        r2 += r * r;
      }
      int bin = (int)(sqrt(r2) / width);
      if (bin < BINS)
        g[bin] += 2;
    }
  for (int b = 0; b < BINS; b++) {
    real inner = b * width, outer = inner + width;
    real shell = 4.0 / 3.0 * PI * (outer * outer * outer - inner * inner * inner);
    g[b] /= s->count * density * shell;
  }
}

real mean_square_displacement(const System *s, real (*from)[DIM])
{
  real sum = 0;
  for (int i = 0; i < s->count; i++)
    for (int d = 0; d < DIM; d++)
      sum += (s->trail[i][d] - from[i][d]) * (s->trail[i][d] - from[i][d]);
  return sum / s->count;
}

void velocity_moments(const System *s, real moments[4])
{
  for (int k = 0; k < 4; k++)
    moments[k] = 0;
  for (int i = 0; i < s->count; i++)
    for (int d = 0; d < DIM; d++) {
      real power = 1;
      for (int k = 0; k < 4; k++) {
        power *= s->molecules[i].vel[d];
        moments[k] += power;
      }
    }
  for (int k = 0; k < 4; k++)
    moments[k] /= s->count * DIM;
}

/* |sum of exp(i k r)|^2 along x, for a number of wave lengths. */
void structure_factor(const System *s, int most, real *factor)
{
  for (int k = 1; k <= most; k++) {
    real re = 0, im = 0, wave = 2 * PI * k / s->side;
    for (int i = 0; i < s->count; i++) {
      re += cos(wave * s->molecules[i].pos[0]);
      im += sin(wave * s->molecules[i].pos[0]);
    }
    factor[k - 1] = (re * re + im * im) / s->count;
  }
}
