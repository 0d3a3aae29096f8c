/* A C++ file whose loops are C. */
#include <cstdio>
#include <cstdlib>
#include <vector>

static const int N = 33;
static double a[N][N], b[N][N], c[N][N];

static bool multiply(int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
  return true;
}

int main()
{
  std::vector<double> sums(N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i + j) % 4;
      b[i][j] = (i * j) % 9;
    }
  if (multiply(N))
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        sums[i] += c[i][j];
  for (double s : sums)
    std::printf("%.17g\n", s);
  return 0;
}
