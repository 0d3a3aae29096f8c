/* Pointers into a batch of sequences: int products of sizes before anything is long. */
#include <stdlib.h>
#include "show.h"

void project(float *out, const float *inp, const float *weight, int B, int T, int C, int OC)
{
  for (int b = 0; b < B; b++) { /* => rewritten */
    for (int t = 0; t < T; t++) {
      float *o = out + b * T * OC + t * OC;
      const float *x = inp + b * T * C + t * C;
      for (int oc = 0; oc < OC; oc++) {
        float val = 0.0f;
        const float *w = weight + oc * C;
        for (int i = 0; i < C; i++)
          val += x[i] * w[i];
        o[oc] = val;
      }
    }
  }
}

int main(void)
{
  int B = 2, T = 9, C = 24, OC = 30;
  float *out = malloc(B * T * OC * sizeof(float)), *inp = malloc(B * T * C * sizeof(float));
  float *weight = malloc(OC * C * sizeof(float));
  for (int i = 0; i < B * T * C; i++)
    inp[i] = (float)(i % 41) / 41;
  for (int i = 0; i < OC * C; i++)
    weight[i] = (float)(i % 23) / 23 - 0.25f;
  project(out, inp, weight, B, T, C, OC);
  show_floats("out", out, B * T * OC);
  free(out);
  free(inp);
  free(weight);
  return 0;
}
