/* The same with for and break. */
#include <stdio.h>
#include <stdlib.h>

static void mandel(int *restrict count, int width, int height, float x0, float y0, float x1,
                   float y1, int limit)
{
  float dx = (x1 - x0) / width, dy = (y1 - y0) / height;
  for (int j = 0; j < height; j++) { /* => rewritten */
    for (int i = 0; i < width; i++) {
      float c_re = x0 + i * dx, c_im = y0 + j * dy, re = c_re, im = c_im;
      int k;
      for (k = 0; k < limit; ++k) {
        if (re * re + im * im > 4.f)
          break;
        float new_re = re * re - im * im;
        float new_im = 2.f * re * im;
        re = c_re + new_re;
        im = c_im + new_im;
      }
      count[j * width + i] = k;
    }
  }
}

int main(void)
{
  int w = 48, h = 36, *count = malloc(sizeof(int) * w * h);
  mandel(count, w, h, -2.f, -1.f, 1.f, 1.f, 150);
  long sum = 0;
  for (int i = 0; i < w * h; i++)
    sum = (sum * 33 + count[i]) % 1000000007;
  printf("%ld\n", sum);
  free(count);
  return 0;
}
