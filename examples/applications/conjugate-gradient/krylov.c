#include "sparse.h"

#include <stdlib.h>

void precondition_nothing(const Csr *a, const real *r, real *z, void *data)
{
  (void)data;
  copy(a->rows, r, z);
}

void precondition_jacobi(const Csr *a, const real *r, real *z, void *data)
{
  const real *diagonal = data;
  for (int i = 0; i < a->rows; i++)
    z[i] = r[i] / diagonal[i];
}

/* One sweep forwards, one backwards. */
void precondition_ssor(const Csr *a, const real *r, real *z, void *data)
{
  const real *diagonal = data;
  int n = a->rows;
  for (int i = 0; i < n; i++) {
    real sum = r[i];
    for (int k = a->start[i]; k < a->start[i + 1] && a->column[k] < i; k++)
      sum -= a->value[k] * z[a->column[k]];
    z[i] = sum / diagonal[i];
  }
  for (int i = 0; i < n; i++)
    z[i] *= diagonal[i];
  for (int i = n - 1; i >= 0; i--) {
    real sum = z[i];
    for (int k = a->start[i + 1] - 1; k >= a->start[i] && a->column[k] > i; k--)
      sum -= a->value[k] * z[a->column[k]];
    z[i] = sum / diagonal[i];
  }
}

Outcome conjugate_gradients(const Csr *a, const real *b, real *x, Preconditioner m, void *data,
                            real tolerance, int most)
{
  int n = a->rows, it;
  real *r = vector_new(n), *z = vector_new(n), *p = vector_new(n), *q = vector_new(n);
  real rho, start = norm(n, b), now = 0;

  csr_multiply(a, x, r);
  for (int i = 0; i < n; i++)
    r[i] = b[i] - r[i];
  m(a, r, z, data);
  copy(n, z, p);
  rho = dot(n, r, z);
  for (it = 1; it <= most; it++) {
    real alpha, last = rho;
    csr_multiply(a, p, q);
    alpha = rho / dot(n, p, q);
    axpy(n, alpha, p, x);
    axpy(n, -alpha, q, r);
    now = norm(n, r);
    if (now <= tolerance * start)
      break;
    m(a, r, z, data);
    rho = dot(n, r, z);
    xpay(n, z, rho / last, p);
  }
  free(r);
  free(z);
  free(p);
  free(q);
  return (Outcome){it, now / start};
}
