/* Molecules in a periodic box, which attract and repel each other as Lennard and Jones say. */
#ifndef MOLECULES_H
#define MOLECULES_H

#define DIM 3
#define BINS 64

typedef double real;

typedef struct {
  real pos[DIM], vel[DIM], force[DIM];
} Molecule;

typedef struct {
  int count;
  real side, cutoff, dt;
  real potential, virial;
  Molecule *molecules;
  real (*trail)[DIM];  /* where each one would be without the box */
} System;

/* Lists of those that are near, and cells to find them. */
typedef struct {
  int cells;           /* along a side */
  int *head, *next;
  int *start, *near;   /* the near ones of i: near[start[i]] and on */
  int room;
  real reach;
} Neighbours;

typedef struct {
  real kinetic, potential, total, temperature, pressure;
  real momentum[DIM];
} Observed;

/* system.c */
int system_create(System *s, int cells, real density, real temperature, real dt);
void system_destroy(System *s);
void stop_drift(System *s);
void rescale(System *s, real temperature);
void half_kick(System *s);
void drift(System *s);

/* forces.c */
real wrapped(real d, real side);
void forces_all_pairs(System *s);
void forces_near(System *s, const Neighbours *n);
void velocity_verlet(System *s, const Neighbours *n);

/* cells.c */
int neighbours_create(Neighbours *n, const System *s, real skin);
void neighbours_destroy(Neighbours *n);
int neighbours_find(Neighbours *n, const System *s);

/* observables.c */
void observe(const System *s, Observed *o);
void radial_distribution(const System *s, real g[BINS]);
real mean_square_displacement(const System *s, real (*from)[DIM]);
void velocity_moments(const System *s, real moments[4]);
void structure_factor(const System *s, int most, real *factor);

#endif
