/* Scores of attention with offsets that are products of three sizes. */
#include <math.h>
#include <stdlib.h>
#include "show.h"

static void attention(float *out, float *att, const float *qkv, int B, int T, int C, int NH)
{
  int hs = C / NH, C3 = C * 3;
  float scale = 1.0f / sqrtf((float)hs);
  for (int b = 0; b < B; b++) /* => rewritten */
    for (int t = 0; t < T; t++)
      for (int h = 0; h < NH; h++) {
        const float *query = qkv + b * T * C3 + t * C3 + h * hs;
        float *a = att + b * NH * T * T + h * T * T + t * T;
        float sum = 0.0f;
        for (int s = 0; s <= t; s++) {
          const float *key = qkv + b * T * C3 + s * C3 + h * hs + C;
          float val = 0.0f;
          for (int i = 0; i < hs; i++)
            val += query[i] * key[i];
          a[s] = expf(val * scale);
          sum += a[s];
        }
        for (int i = 0; i < hs; i++)
          out[b * T * C + t * C + h * hs + i] = query[i] / sum;
      }
}

int main(void)
{
  int B = 2, T = 8, C = 16, NH = 2;
  float *qkv = malloc(B * T * 3 * C * sizeof(float)), *out = malloc(B * T * C * sizeof(float));
  float *att = calloc(B * NH * T * T, sizeof(float));
  for (int i = 0; i < B * T * 3 * C; i++)
    qkv[i] = (float)(i * 13 % 37) / 37 - 0.5f;
  attention(out, att, qkv, B, T, C, NH);
  show_floats("out", out, B * T * C);
  free(qkv);
  free(out);
  free(att);
  return 0;
}
