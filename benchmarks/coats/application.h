/* What surrounds the kernel of an application: another kernel, a list, inline helpers.
 *
 * The program says what its elements are (ELEMENT) first. */
#ifndef APPLICATION_H
#define APPLICATION_H

#include <stdio.h>

#define BLENDED 32

static double blend[BLENDED][BLENDED], blended[BLENDED][BLENDED];

static const int follower[8] = {3, 5, 7, 1, -1, 6, 4, 2};

static inline ELEMENT *cell(ELEMENT *m, int cols, int i, int j)
{
  return m + i * cols + j;
}

static inline ELEMENT *cell3(ELEMENT *m, int rows, int cols, int i, int j, int k)
{
  return m + (i * rows + j) * cols + k;
}

#endif
