// C++ as many write it: extern "C", true and false, new and delete around loops that are C.
#include <cstdio>

extern "C" void smooth(double *u, const double *f, int n, int sweeps)
{
  for (int s = 0; s < sweeps; ++s) /* => rewritten */
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1]
                               + u[i * n + j + 1] + f[i * n + j]);
}

int main()
{
  const int n = 30;
  bool first = true;
  double *u = new double[n * n], *f = new double[n * n];
  for (int i = 0; i < n * n; ++i) {
    u[i] = 0;
    f[i] = first ? 1.0 : (i % 10) * 0.1;
    first = false;
  }
  smooth(u, f, n, 8);
  double sum = 0;
  for (int i = 0; i < n * n; ++i)
    sum = sum * 0.9 + u[i];
  std::printf("%.17g %.17g\n", u[n * n / 2], sum);
  delete[] u;
  delete[] f;
  return 0;
}
