/* Small integers: quantised weights with int sums. */
#include <stdio.h>
#include <stdlib.h>

typedef signed char i8;

static void qmatmul(int n, int d, const i8 *w, const i8 *x, int *y, int tokens)
{
  for (int t = 0; t < tokens; t++) /* => rewritten */
    for (int i = 0; i < d; i++) {
      int acc = 0;
      for (int j = 0; j < n; j++)
        acc += w[i * n + j] * x[t * n + j];
      y[t * d + i] = acc;
    }
}

int main(void)
{
  int n = 64, d = 40, tokens = 12;
  i8 *w = malloc(n * d), *x = malloc(n * tokens);
  int *y = malloc(sizeof(int) * tokens * d);
  for (int i = 0; i < n * d; i++)
    w[i] = (i8)(i * 57 % 251 - 125);
  for (int i = 0; i < n * tokens; i++)
    x[i] = (i8)(i * 29 % 253 - 126);
  qmatmul(n, d, w, x, y, tokens);
  long sum = 0;
  for (int i = 0; i < tokens * d; i++)
    sum = sum % 1000003 * 7 + y[i];
  printf("%d %d %ld\n", y[0], y[tokens * d - 1], sum);
  free(w);
  free(x);
  free(y);
  return 0;
}
