#include "molecules.h"

#include <math.h>

/* The shortest way around the box. */
real wrapped(real d, real side)
{
  return d > 0.5 * side ? d - side : d < -0.5 * side ? d + side : d;
}

static real energy_at_cutoff(real cutoff)
{
  real i6 = 1.0 / (cutoff * cutoff * cutoff * cutoff * cutoff * cutoff);
  return 4 * (i6 * i6 - i6);
}

static void clear_forces(System *s)
{
  s->potential = s->virial = 0;
  for (int i = 0; i < s->count; i++)
    for (int d = 0; d < DIM; d++)
      s->molecules[i].force[d] = 0;
}

/* Each with each: simple, and the other way is compared with it. */
void forces_all_pairs(System *s)
{
  real rc2 = s->cutoff * s->cutoff, shift = energy_at_cutoff(s->cutoff);
  clear_forces(s);
  for (int i = 0; i < s->count; i++) {
    real f[DIM] = {0, 0, 0}, potential = 0, virial = 0;
    for (int j = 0; j < s->count; j++) {
      real r[DIM], r2 = 0;
      if (j == i)
        continue;
      for (int d = 0; d < DIM; d++) {
        r[d] = wrapped(s->molecules[i].pos[d] - s->molecules[j].pos[d], s->side);
        r2 += r[d] * r[d];
      }
      if (r2 < rc2) {
        real i2 = 1.0 / r2, i6 = i2 * i2 * i2, strength = 24 * i2 * i6 * (2 * i6 - 1);
        for (int d = 0; d < DIM; d++)
          f[d] += strength * r[d];
        potential += 4 * i6 * (i6 - 1) - shift;
        virial += strength * r2;
      }
    }
    for (int d = 0; d < DIM; d++)
      s->molecules[i].force[d] = f[d];
    s->potential += 0.5 * potential;
    s->virial += 0.5 * virial;
  }
}

void forces_near(System *s, const Neighbours *n)
{
  real rc2 = s->cutoff * s->cutoff, shift = energy_at_cutoff(s->cutoff), side = s->side;
  Molecule *m = s->molecules;
  clear_forces(s);
  for (int i = 0; i < s->count; i++)
    for (int k = n->start[i]; k < n->start[i + 1]; k++) {
      int j = n->near[k];
      real x = wrapped(m[i].pos[0] - m[j].pos[0], side);
      real y = wrapped(m[i].pos[1] - m[j].pos[1], side);
      real z = wrapped(m[i].pos[2] - m[j].pos[2], side);
      real r2 = x * x + y * y + z * z;
      if (r2 < rc2) {
        real i2 = 1.0 / r2, i6 = i2 * i2 * i2, strength = 24 * i2 * i6 * (2 * i6 - 1);
        m[i].force[0] += strength * x;
        m[i].force[1] += strength * y;
        m[i].force[2] += strength * z;
        m[j].force[0] -= strength * x;
        m[j].force[1] -= strength * y;
        m[j].force[2] -= strength * z;
        s->potential += 4 * i6 * (i6 - 1) - shift;
        s->virial += strength * r2;
      }
    }
}

void velocity_verlet(System *s, const Neighbours *n)
{
  half_kick(s);
  drift(s);
  if (n)
    forces_near(s, n);
  else
    forces_all_pairs(s);
  half_kick(s);
}
