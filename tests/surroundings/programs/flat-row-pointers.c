/* Local pointers to the rows of flat arrays. */
#include <stdlib.h>
#include "show.h"

static void multiply(int n, const double *A, const double *B, double *C)
{
  for (int i = 0; i < n; i++) { /* => rewritten */
    const double *a = A + i * n;
    double *c = C + i * n;
    for (int k = 0; k < n; k++) {
      const double *b = B + k * n;
      double aik = a[k];
      for (int j = 0; j < n; j++)
        c[j] += aik * b[j];
    }
  }
}

int main(void)
{
  int n = 44;
  double *A = malloc(sizeof(double) * n * n), *B = malloc(sizeof(double) * n * n);
  double *C = calloc((size_t)n * n, sizeof(double));
  for (int i = 0; i < n * n; i++) {
    A[i] = (i % 29) * 0.125;
    B[i] = (i % 31) - 15;
  }
  multiply(n, A, B, C);
  show("C", C, n * n);
  free(A);
  free(B);
  free(C);
  return 0;
}
