/* How the programs here print an array: some elements, and a sum that depends on the order. */
#ifndef SHOW_H
#define SHOW_H

#include <stdio.h>

static void show(const char *name, const double *x, long count)
{
  double sum = 0.0;
  for (long i = 0; i < count; i++)
    sum = sum * 0.75 + x[i];
  printf("%s: %.17g %.17g %.17g\n", name, x[0], x[count / 2], sum);
}

static void show_floats(const char *name, const float *x, long count)
{
  float sum = 0.0f;
  for (long i = 0; i < count; i++)
    sum = sum * 0.75f + x[i];
  printf("%s: %.9g %.9g %.9g\n", name, x[0], x[count / 2], sum);
}

#endif
