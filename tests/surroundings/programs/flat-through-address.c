/* A matrix of rows, used as a flat array: (&A[0][0])[i*n + j]. */
#include <stdlib.h>
#include "show.h"

static void add_products(int n, double (*A)[n], double (*B)[n], double (*C)[n])
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        (&C[0][0])[i * n + j] += (&A[0][0])[i * n + k] * (&B[0][0])[k * n + j];
}

int main(void)
{
  int n = 36;
  double (*A)[n] = malloc(sizeof(double[n][n])), (*B)[n] = malloc(sizeof(double[n][n]));
  double (*C)[n] = calloc(n, sizeof(double[n]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] = (i * 3 + j) % 10;
      B[i][j] = (i + j * 5) % 8 - 3.5;
    }
  add_products(n, A, B, C);
  show("C", &C[0][0], (long)n * n);
  free(A);
  free(B);
  free(C);
  return 0;
}
