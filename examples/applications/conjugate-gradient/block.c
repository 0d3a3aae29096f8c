/* Blocks of vectors: inner products, updates, and the largest eigenvalues by them. */
#include "sparse.h"

#include <math.h>
#include <stdlib.h>

int block_new(Block *b, int length, int count)
{
  b->length = length;
  b->count = count;
  b->data = calloc((size_t)length * count, sizeof(real));
  return b->data ? 0 : -1;
}

void block_free(Block *b)
{
  free(b->data);
  b->data = NULL;
}

/* out[i][j] = a_i . b_j */
void block_gram(const Block *a, const Block *b, real *out)
{
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++) {
      real sum = 0;
      for (int k = 0; k < a->length; k++)
        sum += ELEM(a, k, i) * ELEM(b, k, j);
      out[i * b->count + j] = sum;
    }
}

/* a_i += sum of c[i][j] * b_j */
void block_update(Block *a, const Block *b, const real *coefficients)
{
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++) {
      real c = coefficients[i * b->count + j];
      real *to = COL(a, i);
      const real *from = COL(b, j);
      for (int k = 0; k < a->length; k++)
        to[k] += c * from[k];
    }
}

int small_cholesky(int n, real *a)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
    for (int k = 0; k < i; k++)
      a[i * n + i] -= a[i * n + k] * a[i * n + k];
    if (a[i * n + i] <= 0)
      return i + 1;
    a[i * n + i] = sqrt(a[i * n + i]);
  }
  return 0;
}

/* L X = B in place; B has so many columns. */
void small_solve(int n, const real *l, real *b, int columns)
{
  for (int i = 0; i < n; i++)
    for (int c = 0; c < columns; c++) {
      for (int k = 0; k < i; k++)
        b[i * columns + c] -= l[i * n + k] * b[k * columns + c];
      b[i * columns + c] /= l[i * n + i];
    }
}

int block_orthonormalise(Block *b)
{
  int n = b->count, status;
  real *gram = malloc((size_t)n * n * sizeof *gram), *inverse = calloc((size_t)n * n, sizeof *gram);
  Block old;
  if (!gram || !inverse || block_new(&old, b->length, n)) {
    free(gram);
    free(inverse);
    return -1;
  }
  block_gram(b, b, gram);
  status = small_cholesky(n, gram);
  if (status == 0) {
    for (int i = 0; i < n; i++)
      inverse[i * n + i] = 1;
    small_solve(n, gram, inverse, n);
    copy(b->length * n, b->data, old.data);
    fill(b->length * n, 0, b->data);
    block_update(b, &old, inverse);
  }
  block_free(&old);
  free(gram);
  free(inverse);
  return status;
}

/* Subspace iteration; the values are those of a small matrix at the end, only its diagonal. */
int largest_eigenvalues(const Csr *a, Block *b, int rounds, real *values)
{
  Block next;
  real *gram = malloc((size_t)b->count * b->count * sizeof *gram);
  int status = gram == NULL || block_new(&next, b->length, b->count) ? -1 : 0;
  if (status) {
    free(gram);
    return status;
  }
  for (int round = 0; round < rounds && status == 0; round++) {
    status = block_orthonormalise(b);
    for (int c = 0; c < b->count; c++)
      csr_multiply(a, COL(b, c), COL(&next, c));
    if (round == rounds - 1) {
      block_gram(b, &next, gram);
      for (int c = 0; c < b->count; c++)
        values[c] = gram[c * b->count + c];
    }
    copy(b->length * b->count, next.data, b->data);
  }
  block_free(&next);
  free(gram);
  return status;
}
