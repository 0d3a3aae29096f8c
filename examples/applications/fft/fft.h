/* Transforms of powers of two, in one and two dimensions, real and imaginary parts apart. */
#ifndef FFT_H
#define FFT_H

typedef struct {
  int log, n;
  int *reversed;        /* bit-reversed numbers */
  double *cosine, *sine; /* of the first half of the circle */
} Plan;

/* n by n complex numbers */
typedef struct {
  int n;
  double *re, *im;
} Plane;

#define AT(p, part, i, j) ((p)->part[(i) * (p)->n + (j)])

/* transform.c */
int plan_create(Plan *p, int log);
void plan_destroy(Plan *p);
void transform(const Plan *p, double *re, double *im, int sign);
void slow_transform(int n, const double *re, const double *im, double *out_re, double *out_im,
                    int sign);
void convolve(const Plan *p, double *x, double *y, double *out);

/* plane.c */
int plane_create(Plane *p, int n);
void plane_destroy(Plane *p);
void plane_copy(const Plane *from, Plane *to);
void plane_transpose(Plane *p);
void plane_transform(const Plan *plan, Plane *p, int sign);
void plane_transform_columns(const Plan *plan, Plane *p, int sign);
double plane_energy(const Plane *p);
double plane_difference(const Plane *a, const Plane *b);

/* poisson.c */
void poisson_solve(const Plan *plan, Plane *f);
void laplacian(const Plane *u, Plane *out);
void laplacian_spectral(const Plan *plan, Plane *u);
void low_pass(const Plan *plan, Plane *p, double cutoff);
void heat(const Plan *plan, Plane *u, double time);
int spectrum(const Plane *p, double *bins, int count);
void heat_explicit(Plane *u, Plane *next, double dt, int steps);

#endif
