/* Functions that an X macro makes, one a type. */
#include <stdio.h>

#define TYPES(X) X(float, f) X(double, d) X(int, i)
#define N 30

#define PRODUCT(T, s)                                                \
  static void product_##s(int n, T a[n][n], T b[n][n], T c[n][n])    \
  {                                                                  \
    for (int i = 0; i < n; i++)                                      \
      for (int j = 0; j < n; j++)                                    \
        for (int k = 0; k < n; k++)                                  \
          c[i][j] += a[i][k] * b[k][j];                              \
  }

TYPES(PRODUCT) /* => left: macro */

#define RUN(T, s)                                                    \
  {                                                                  \
    static T a[N][N], b[N][N], c[N][N];                              \
    for (int i = 0; i < N; i++)                                      \
      for (int j = 0; j < N; j++) {                                  \
        a[i][j] = (T)((i + j) % 5);                                  \
        b[i][j] = (T)((i * j) % 3);                                  \
      }                                                              \
    product_##s(N, a, b, c);                                         \
    printf("%s: %g %g\n", #T, (double)c[3][4], (double)c[N - 1][7]); \
  }

int main(void)
{
  TYPES(RUN)
  return 0;
}
