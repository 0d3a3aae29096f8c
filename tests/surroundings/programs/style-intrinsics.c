/* The headers of gcc's intrinsics are included, and used in one function. */
#include <immintrin.h>
#include "show.h"

static float a[32][32], b[32][32], c[32][32];

static float sum4(const float *x)
{
  __m128 v = _mm_loadu_ps(x);
  v = _mm_add_ps(v, _mm_movehl_ps(v, v));
  v = _mm_add_ss(v, _mm_shuffle_ps(v, v, 1));
  return _mm_cvtss_f32(v);
}

static void multiply(int n)
{
  for (int i = 0; i < n; i++) /* => rewritten */
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 32; j++) {
      a[i][j] = (float)((i + j) % 8);
      b[i][j] = (float)((i * j) % 8);
    }
  multiply(32);
  printf("%g\n", sum4(&c[5][8]));
  show_floats("c", &c[0][0], 1024);
  return 0;
}
