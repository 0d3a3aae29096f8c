/* Max pooling: the largest value under a window, and where it was. */
#include <float.h>
#include <stdlib.h>
#include "show.h"

static void max_pool(const float *in, float *out, int *index, int c, int h, int w, int size)
{
  int oh = h / size, ow = w / size;
  for (int k = 0; k < c; k++) /* => rewritten */
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++) {
        float max = -FLT_MAX;
        int max_i = -1;
        for (int n = 0; n < size; n++)
          for (int m = 0; m < size; m++) {
            int at = (k * h + i * size + n) * w + j * size + m;
            float val = in[at];
            max_i = (val > max) ? at : max_i;
            max = (val > max) ? val : max;
          }
        out[(k * oh + i) * ow + j] = max;
        index[(k * oh + i) * ow + j] = max_i;
      }
}

int main(void)
{
  int c = 4, h = 24, w = 28, size = 4, outs = c * (h / size) * (w / size);
  float *in = malloc(c * h * w * sizeof(float)), *out = malloc(outs * sizeof(float));
  int *index = malloc(outs * sizeof(int));
  for (int i = 0; i < c * h * w; i++)
    in[i] = (float)((i * 101) % 307);
  max_pool(in, out, index, c, h, w, size);
  show_floats("out", out, outs);
  printf("%d %d\n", index[0], index[outs - 1]);
  free(in);
  free(out);
  free(index);
  return 0;
}
