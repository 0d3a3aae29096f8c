/* A list is no array; the matrix that hangs on it is one. */
#include <stdlib.h>
#include "show.h"

struct node {
  struct node *next;
  double m[20][20];
};

static double walk(const struct node *list)
{
  double sum = 0;
  for (const struct node *p = list; p; p = p->next) /* => left: next */
    sum = sum * 0.5 + p->m[3][4];
  return sum;
}

static void square(const struct node *in, struct node *out, int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        out->m[i][j] += in->m[i][k] * in->m[k][j];
}

int main(void)
{
  struct node *list = NULL;
  for (int c = 0; c < 4; c++) {
    struct node *p = calloc(1, sizeof *p);
    for (int i = 0; i < 20; i++)
      for (int j = 0; j < 20; j++)
        p->m[i][j] = (i + j + c) % 5 * 0.1;
    if (list)
      square(list, p, 20);
    p->next = list;
    list = p;
  }
  printf("%.17g\n", walk(list));
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
