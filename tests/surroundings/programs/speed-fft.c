/* A fast Fourier transform in place, split arrays, stride-1 butterflies inside. */
#include <math.h>
#include "show.h"

#define LOG 7
#define N (1 << LOG)

static double re[N], im[N], wr[N], wi[N];

static void bit_reverse(int n)
{
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      double t = re[i];
      re[i] = re[j];
      re[j] = t;
      t = im[i];
      im[i] = im[j];
      im[j] = t;
    }
  }
}

static void fft(int n)
{
  bit_reverse(n);
  for (int len = 2; len <= n; len <<= 1) {
    int half = len / 2, step = n / len;
    for (int i = 0; i < n; i += len) /* => either */
      for (int k = 0; k < half; k++) {
        double ur = re[i + k], ui = im[i + k];
        double vr = re[i + k + half] * wr[k * step] - im[i + k + half] * wi[k * step];
        double vi = re[i + k + half] * wi[k * step] + im[i + k + half] * wr[k * step];
        re[i + k] = ur + vr;
        im[i + k] = ui + vi;
        re[i + k + half] = ur - vr;
        im[i + k + half] = ui - vi;
      }
  }
}

int main(void)
{
  for (int i = 0; i < N; i++) {
    re[i] = i % 9;
    im[i] = i % 4;
    wr[i] = cos(-6.283185307179586 * i / N);
    wi[i] = sin(-6.283185307179586 * i / N);
  }
  fft(N);
  show("re", re, N);
  show("im", im, N);
  return 0;
}
