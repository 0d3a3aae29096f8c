/* Elements behind static inline functions: one that reads, one that gives the address. */
#include <stdlib.h>
#include "show.h"

typedef struct {
  long rows, cols;
  double *items;
} Mat;

static inline double get(const Mat *m, long i, long j) { return m->items[i * m->cols + j]; }
static inline double *ref(Mat *m, long i, long j) { return &m->items[i * m->cols + j]; }

static void multiply(const Mat *a, const Mat *b, Mat *c)
{
  for (long i = 0; i < a->rows; i++) /* => rewritten */
    for (long j = 0; j < b->cols; j++)
      for (long k = 0; k < a->cols; k++)
        *ref(c, i, j) += get(a, i, k) * get(b, k, j);
}

int main(void)
{
  Mat a = {31, 29, malloc(31 * 29 * 8)}, b = {29, 43, malloc(29 * 43 * 8)};
  Mat c = {31, 43, calloc(31 * 43, 8)};
  for (int i = 0; i < 31 * 29; i++)
    a.items[i] = i % 5;
  for (int i = 0; i < 29 * 43; i++)
    b.items[i] = (i % 7) * 0.5;
  multiply(&a, &b, &c);
  show("c", c.items, 31 * 43);
  free(a.items);
  free(b.items);
  free(c.items);
  return 0;
}
