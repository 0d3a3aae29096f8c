/* Matrices that know their sizes. */
#include <assert.h>
#include <stdlib.h>
#include "show.h"

typedef struct {
  int rows, cols;
  double *data;
} matrix;

static matrix *matrix_new(int rows, int cols)
{
  matrix *m = malloc(sizeof *m);
  m->rows = rows;
  m->cols = cols;
  m->data = calloc((size_t)rows * cols, sizeof *m->data);
  return m;
}

static void matrix_free(matrix *m)
{
  free(m->data);
  free(m);
}

void matrix_multiply(const matrix *A, const matrix *B, matrix *C)
{
  assert(A->cols == B->rows && C->rows == A->rows && C->cols == B->cols);
  for (int i = 0; i < A->rows; i++) /* => rewritten */
    for (int j = 0; j < B->cols; j++)
      for (int k = 0; k < A->cols; k++)
        C->data[i * C->cols + j] += A->data[i * A->cols + k] * B->data[k * B->cols + j];
}

int main(void)
{
  matrix *A = matrix_new(30, 40), *B = matrix_new(40, 50), *C = matrix_new(30, 50);
  for (int i = 0; i < 30 * 40; i++)
    A->data[i] = i % 6 - 2.5;
  for (int i = 0; i < 40 * 50; i++)
    B->data[i] = i % 10 * 0.1;
  matrix_multiply(A, B, C);
  show("C", C->data, 30 * 50);
  matrix_free(A);
  matrix_free(B);
  matrix_free(C);
  return 0;
}
