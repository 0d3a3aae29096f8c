/* Local restrict pointers into rows; &A[i][0]. */
#include "show.h"

#define N 48

static double A[N][N], B[N][N], C[N][N];

static void multiply(int n)
{
  for (int i = 0; i < n; i++) { /* => rewritten */
    double *restrict c = &C[i][0];
    for (int k = 0; k < n; k++) {
      const double *restrict b = &B[k][0];
      const double a = A[i][k];
      for (int j = 0; j < n; j++)
        c[j] += a * b[j];
    }
  }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = (i + 2 * j) % 9;
      B[i][j] = (3 * i + j) % 7;
    }
  multiply(N);
  show("C", &C[0][0], N * N);
  return 0;
}
