/* Solves a sparse system from a grid by conjugate gradients, three times, and finds the largest
 * eigenvalues of its matrix.
 *
 * usage: cg [N] for a grid of N x N x N */
#define _POSIX_C_SOURCE 199309L

#include "sparse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int failures;

static void expect(int is_fine, const char *what)
{
  printf("%-48s %s\n", what, is_fine ? "ok" : "WRONG");
  failures += !is_fine;
}

static real difference(int n, const real *x, const real *y)
{
  real worst = 0;
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(x[i] - y[i]));
  return worst;
}

static void solve_with(const char *name, const Csr *a, const real *truth, Preconditioner m,
                       void *data, int most)
{
  int n = a->rows;
  real *b = vector_new(n), *x = vector_new(n);
  char what[96];
  Outcome found;
  csr_multiply(a, truth, b);
  found = conjugate_gradients(a, b, x, m, data, 1e-10, most);
  printf("%s: %d iterations, residual %.2e, error %.2e\n", name, found.iterations, found.residual,
         difference(n, x, truth));
  snprintf(what, sizeof what, "solution with %s", name);
  expect(found.iterations <= most && difference(n, x, truth) < 1e-6, what);
  free(b);
  free(x);
}

int main(int argc, char **argv)
{
  int side = argc > 1 ? atoi(argv[1]) : 48, n = side * side * side;
  Csr a;
  Block block;
  real *truth, *diagonal, *y, *z, values[12];
  double t;

  if (side < 2 || csr_poisson(&a, side, side, side)) {
    fprintf(stderr, "no grid of %d\n", side);
    return 2;
  }
  printf("%d rows, %d entries\n", a.rows, a.entries);
  truth = vector_new(n);
  diagonal = vector_new(n);
  y = vector_new(n);
  z = vector_new(n);
  for (int i = 0; i < n; i++)
    truth[i] = sin(0.01 * i) + (i % 7) * 0.1;
  csr_diagonal(&a, diagonal);
  expect(csr_is_symmetric(&a), "the matrix is symmetric");

  t = now();
  csr_multiply(&a, truth, y);
  stencil_multiply(side, side, side, truth, z);
  expect(difference(n, y, z) < 1e-12, "the matrix is the stencil");
  solve_with("nothing", &a, truth, precondition_nothing, NULL, 2000);
  solve_with("Jacobi", &a, truth, precondition_jacobi, diagonal, 2000);
  solve_with("SSOR", &a, truth, precondition_ssor, diagonal, 2000);
  if (block_new(&block, n, 12))
    return 2;
  for (int c = 0; c < block.count; c++)
    for (int i = 0; i < n; i++)
      ELEM(&block, i, c) = cos(0.37 * (c + 1) * i) + 0.01 * ((i * (c + 3)) % 11);
  expect(largest_eigenvalues(&a, &block, 15, values) == 0, "the vectors stay independent");
  fprintf(stderr, "seconds %.6f\n", now() - t);
  for (int c = 0; c < block.count; c++)
    printf("%.6f%c", values[c], c + 1 < block.count ? ' ' : '\n');
  expect(values[0] > 6.01 && values[0] < 12.02, "an eigenvalue is where it can be");
  printf(failures ? "WRONG\n" : "VERIFIED\n");
  block_free(&block);
  csr_free(&a);
  free(truth);
  free(diagonal);
  free(y);
  free(z);
  return failures != 0;
}
