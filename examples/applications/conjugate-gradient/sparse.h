/* Sparse matrices by rows, vectors, and solvers. */
#ifndef SPARSE_H
#define SPARSE_H

#include <stddef.h>

typedef double real;

typedef struct {
  int rows;
  int entries;
  int *start;   /* rows + 1 */
  int *column;
  real *value;
} Csr;

/* Several vectors of one length, one behind the other in memory. */
typedef struct {
  int length, count;
  real *data;
} Block;

#define COL(b, c) ((b)->data + (size_t)(c) * (b)->length)
#define ELEM(b, i, c) ((b)->data[(size_t)(c) * (b)->length + (i)])

typedef struct {
  int iterations;
  real residual;
} Outcome;

typedef void (*Preconditioner)(const Csr *a, const real *r, real *z, void *data);

/* csr.c */
int csr_poisson(Csr *a, int nx, int ny, int nz);
void csr_free(Csr *a);
void csr_multiply(const Csr *a, const real *x, real *y);
void csr_diagonal(const Csr *a, real *d);
int csr_is_symmetric(const Csr *a);
void stencil_multiply(int nx, int ny, int nz, const real *x, real *y);

/* vector.c */
real *vector_new(int n);
real dot(int n, const real *x, const real *y);
real norm(int n, const real *x);
void axpy(int n, real alpha, const real *x, real *y);
void xpay(int n, const real *x, real alpha, real *y);
void copy(int n, const real *x, real *y);
void fill(int n, real value, real *x);

/* krylov.c */
void precondition_nothing(const Csr *a, const real *r, real *z, void *data);
void precondition_jacobi(const Csr *a, const real *r, real *z, void *data);
void precondition_ssor(const Csr *a, const real *r, real *z, void *data);
Outcome conjugate_gradients(const Csr *a, const real *b, real *x, Preconditioner m, void *data,
                            real tolerance, int most);

/* block.c */
int block_new(Block *b, int length, int count);
void block_free(Block *b);
void block_gram(const Block *a, const Block *b, real *out);
void block_update(Block *a, const Block *b, const real *coefficients);
int small_cholesky(int n, real *a);
void small_solve(int n, const real *l, real *b, int columns);
int block_orthonormalise(Block *b);
int largest_eigenvalues(const Csr *a, Block *b, int rounds, real *values);

#endif
