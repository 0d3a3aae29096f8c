/* A convolution on tensors in NCHW order. */
#include <stdlib.h>
#include "show.h"

static void conv2d(const float *in, const float *weight, float *out, int N, int C, int H, int W,
                   int K, int R)
{
  int OH = H - R + 1, OW = W - R + 1;
  for (int n = 0; n < N; n++) /* => rewritten */
    for (int k = 0; k < K; k++)
      for (int y = 0; y < OH; y++)
        for (int x = 0; x < OW; x++) {
          float acc = 0.0f;
          for (int c = 0; c < C; c++)
            for (int r = 0; r < R; r++)
              for (int s = 0; s < R; s++)
                acc += in[((n * C + c) * H + y + r) * W + x + s]
                       * weight[((k * C + c) * R + r) * R + s];
          out[((n * K + k) * OH + y) * OW + x] = acc;
        }
}

int main(void)
{
  int N = 2, C = 3, H = 14, W = 15, K = 4, R = 3;
  long inputs = (long)N * C * H * W, weights = (long)K * C * R * R;
  long outputs = (long)N * K * (H - R + 1) * (W - R + 1);
  float *in = malloc(inputs * sizeof(float)), *weight = malloc(weights * sizeof(float));
  float *out = malloc(outputs * sizeof(float));
  for (long i = 0; i < inputs; i++)
    in[i] = (float)(i * 31 % 17) / 17;
  for (long i = 0; i < weights; i++)
    weight[i] = (float)(i * 7 % 11) / 11 - 0.5f;
  conv2d(in, weight, out, N, C, H, W, K, R);
  show_floats("out", out, outputs);
  free(in);
  free(weight);
  free(out);
  return 0;
}
