/* A matrix product on flat arrays, all of it in int: the commonest style of all. */
#include <stdlib.h>
#include "show.h"

void matmul(int n, const double *A, const double *B, double *C)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i*n+j] += A[i*n+k] * B[k*n+j];
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 45;
  double *A = malloc(n * n * sizeof *A);
  double *B = malloc(n * n * sizeof *B);
  double *C = calloc(n * n, sizeof *C);
  for (int i = 0; i < n * n; i++) {
    A[i] = (i % 17) / 3.0;
    B[i] = (i % 11) / 7.0;
  }
  matmul(n, A, B, C);
  show("C", C, n * n);
  free(A);
  free(B);
  free(C);
  return 0;
}
