/* while in place of for; <= in place of <. */
#include "show.h"

#define N 31

static double a[N][N], b[N][N], c[N][N];

static void multiply(int n)
{
  int i = 0;
  while (i <= n - 1) { /* => rewritten */
    int j = 0;
    while (j <= n - 1) {
      int k = 0;
      c[i][j] = 0;
      while (k <= n - 1) {
        c[i][j] += a[i][k] * b[k][j];
        k++;
      }
      j++;
    }
    ++i;
  }
}

int main(void)
{
  int i = 0, j;
  while (i < N) {
    j = 0;
    do {
      a[i][j] = (i + j) % 5;
      b[i][j] = (i * j) % 7;
      j++;
    } while (j < N);
    i++;
  }
  multiply(N);
  show("c", &c[0][0], N * N);
  return 0;
}
