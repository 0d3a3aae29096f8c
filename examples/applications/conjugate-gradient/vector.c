#include "sparse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

real *vector_new(int n)
{
  real *x = calloc((size_t)n, sizeof *x);
  if (x == NULL) {
    fprintf(stderr, "out of memory\n");
    exit(2);
  }
  return x;
}

real dot(int n, const real *x, const real *y)
{
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

real norm(int n, const real *x)
{
  return sqrt(dot(n, x, x));
}

void axpy(int n, real alpha, const real *x, real *y)
{
  for (int i = 0; i < n; i++)
    y[i] += alpha * x[i];
}

void xpay(int n, const real *x, real alpha, real *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] + alpha * y[i];
}

void copy(int n, const real *x, real *y)
{
  while (n-- > 0)
    *y++ = *x++;
}

void fill(int n, real value, real *x)
{
  for (real *end = x + n; x < end; x++)
    *x = value;
}
