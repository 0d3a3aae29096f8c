/* The same with long offsets, and a backward pass that adds into the gradient. */
#include <stdlib.h>
#include "show.h"

static void backward(double *dinp, const double *dout, const double *weight, long B, long T, long C,
                     long OC)
{
  for (long b = 0; b < B; b++) /* => rewritten */
    for (long t = 0; t < T; t++) {
      const double *d = dout + b * T * OC + t * OC;
      double *di = dinp + b * T * C + t * C;
      for (long o = 0; o < OC; o++) {
        const double *w = weight + o * C;
        double g = d[o];
        for (long i = 0; i < C; i++)
          di[i] += w[i] * g;
      }
    }
}

int main(void)
{
  long B = 3, T = 7, C = 21, OC = 26;
  double *dinp = calloc(B * T * C, 8), *dout = malloc(B * T * OC * 8), *w = malloc(OC * C * 8);
  for (long i = 0; i < B * T * OC; i++)
    dout[i] = i % 15 / 5.0;
  for (long i = 0; i < OC * C; i++)
    w[i] = i % 8 - 4;
  backward(dinp, dout, w, B, T, C, OC);
  show("dinp", dinp, B * T * C);
  free(dinp);
  free(dout);
  free(w);
  return 0;
}
