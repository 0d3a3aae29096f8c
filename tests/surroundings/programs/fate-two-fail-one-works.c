/* Two regions that fail in different ways beside one that works. */
#include <stdlib.h>
#include "show.h"

extern int atoi(const char *);

static int next_free(int i, const int *link)
{
  while (link[i] >= 0)
    i = link[i];
  return i;
}

static void mark_chains(int n, int *link, double *weight)
{
  for (int i = 0; i < n; i++) { /* => left: next_free */
    int last = next_free(i, link);
    weight[last] += 1.0 / (1 + last);
  }
}

static double follow(int n, const int *link, const double *weight)
{
  double sum = 0;
  for (int i = 0, steps = 0; i >= 0 && steps < n; i = link[i], steps++) /* => left: link */
    sum = sum * 0.5 + weight[i];
  return sum;
}

static void square(int n, const double *a, double *b)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        b[i * n + j] += a[i * n + k] * a[k * n + j];
}

int main(void)
{
  enum { n = 30 };
  int link[n];
  double weight[n] = {0}, *a = malloc(n * n * sizeof *a), *b = calloc(n * n, sizeof *b);
  for (int i = 0; i < n; i++)
    link[i] = i % 4 == 3 ? -1 : i + 1 < n ? i + 1 : -1;
  for (int i = 0; i < n * n; i++)
    a[i] = i % 8 - 2;
  mark_chains(n, link, weight);
  square(n, a, b);
  printf("%.17g\n", follow(n, link, weight));
  show("weight", weight, n);
  show("b", b, n * n);
  free(a);
  free(b);
  return 0;
}
