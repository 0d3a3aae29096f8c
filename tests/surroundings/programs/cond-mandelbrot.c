/* The Mandelbrot set: an inner loop that ends by its data, outer loops that are parallel. */
#include <stdio.h>

#define W 60
#define H 40

static int pixel[H][W];

static void mandelbrot(int w, int h, int most)
{
  for (int y = 0; y < h; y++) /* => rewritten */
    for (int x = 0; x < w; x++) {
      double cr = -2.0 + 3.0 * x / w, ci = -1.0 + 2.0 * y / h;
      double zr = 0, zi = 0;
      int n = 0;
      while (n < most && zr * zr + zi * zi < 4.0) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        n++;
      }
      pixel[y][x] = n;
    }
}

int main(void)
{
  mandelbrot(W, H, 200);
  long sum = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      sum += pixel[y][x] * (x + 1);
  printf("%ld %d\n", sum, pixel[20][20]);
  return 0;
}
