/* Complex numbers as pairs of doubles: a discrete Fourier transform by definition. */
#include <math.h>
#include "show.h"

#define N 40

static double re[N], im[N], out_re[N], out_im[N], cosine[N][N], sine[N][N];

static void dft(int n, int batches)
{
  for (int b = 0; b < batches; b++) /* => rewritten */
    for (int k = 0; k < n; k++)
      for (int t = 0; t < n; t++) {
        out_re[k] += re[t] * cosine[t][k] - im[t] * sine[t][k];
        out_im[k] += re[t] * sine[t][k] + im[t] * cosine[t][k];
      }
}

int main(void)
{
  for (int i = 0; i < N; i++) {
    re[i] = i % 4;
    im[i] = i % 3;
    for (int k = 0; k < N; k++) {
      cosine[i][k] = cos(6.283185307179586 * i * k / N);
      sine[i][k] = sin(6.283185307179586 * i * k / N);
    }
  }
  dft(N, 3);
  show("re", out_re, N);
  show("im", out_im, N);
  return 0;
}
