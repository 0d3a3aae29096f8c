/* AT(M, i, j), as linear algebra libraries write it. */
#include <stdlib.h>
#include "show.h"

struct mat {
  int m, n;
  double *v;
};

#define AT(M, i, j) ((M)->v[(i) * (M)->n + (j)])

static void mul_transposed(const struct mat *A, const struct mat *B, struct mat *C)
{
  int i, j, k;
  for (i = 0; i < A->m; i++) /* => rewritten */
    for (j = 0; j < B->m; j++) {
      AT(C, i, j) = 0;
      for (k = 0; k < A->n; k++)
        AT(C, i, j) += AT(A, i, k) * AT(B, j, k);
    }
}

int main(void)
{
  struct mat A = {28, 36, NULL}, B = {32, 36, NULL}, C = {28, 32, NULL};
  A.v = malloc(28 * 36 * sizeof(double));
  B.v = malloc(32 * 36 * sizeof(double));
  C.v = malloc(28 * 32 * sizeof(double));
  for (int i = 0; i < 28 * 36; i++)
    A.v[i] = 1.0 / (i % 8 + 1);
  for (int i = 0; i < 32 * 36; i++)
    B.v[i] = i % 12;
  mul_transposed(&A, &B, &C);
  show("C", C.v, 28 * 32);
  free(A.v);
  free(B.v);
  free(C.v);
  return 0;
}
