/* Members that are bounds, and that a helper or the loop itself changes. */
#include <stdlib.h>
#include "show.h"

typedef struct {
  int rows, cols;
  double *data;
} Mat;

static void drop_column(Mat *m) { m->cols--; }

static void shrinking(Mat *m)
{
  for (int i = 0; i < m->rows; i++) { /* => either */
    for (int j = 0; j < m->cols; j++)
      m->data[i * 40 + j] += 0.5 * i;
    if (i % 4 == 3)
      drop_column(m);
  }
}

static void growing(Mat *m, const Mat *by)
{
  for (int i = 0; i < by->rows; i++) { /* => either */
    for (int j = 0; j < by->cols; j++)
      for (int k = 0; k < by->cols; k++)
        m->data[i * 40 + j] += by->data[i * 40 + k] * by->data[k * 40 + j];
    if (m->rows < 35)
      m->rows += 2;
  }
}

int main(void)
{
  Mat m = {30, 40, malloc(sizeof(double) * 40 * 40)};
  Mat other = {20, 40, calloc(40 * 40, sizeof(double))};
  for (int i = 0; i < 1600; i++)
    m.data[i] = i % 9 * 0.001;
  shrinking(&m);
  printf("%d x %d\n", m.rows, m.cols);
  m.rows = 20;
  growing(&other, &m);
  printf("%d x %d\n", m.rows, m.cols);
  printf("%d x %d\n", other.rows, other.cols);
  show("m", m.data, 1600);
  show("other", other.data, 1600);
  free(m.data);
  free(other.data);
  return 0;
}
