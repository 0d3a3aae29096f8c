/* The same border by conditionals in the loop body. */
#include "show.h"

#define W 44
#define H 30

static float in[H][W], out[H][W];

static void blur3(int h, int w, int times)
{
  for (int t = 0; t < times; t++) /* => rewritten */
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        int up = y > 0 ? y - 1 : 0, down = y < h - 1 ? y + 1 : h - 1;
        int left = x > 0 ? x - 1 : 0, right = x < w - 1 ? x + 1 : w - 1;
        out[y][x] += 0.25f * (in[up][x] + in[down][x] + in[y][left] + in[y][right]);
      }
}

int main(void)
{
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      in[y][x] = (float)((x * y) % 50);
  blur3(H, W, 4);
  show_floats("out", &out[0][0], H * W);
  return 0;
}
