/* Products of 8 by 8, one for each block of an image: a discrete cosine transform. */
#include <math.h>
#include "show.h"

#define N 40

static double image[N][N], freq[N][N], basis[8][8];

static void dct_block(int r, int c)
{
  double t[8][8];
  for (int i = 0; i < 8; i++) /* => either */
    for (int j = 0; j < 8; j++) {
      t[i][j] = 0;
      for (int k = 0; k < 8; k++)
        t[i][j] += basis[i][k] * image[r + k][c + j];
    }
  for (int i = 0; i < 8; i++) /* => either */
    for (int j = 0; j < 8; j++) {
      freq[r + i][c + j] = 0;
      for (int k = 0; k < 8; k++)
        freq[r + i][c + j] += t[i][k] * basis[j][k];
    }
}

int main(void)
{
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      basis[i][j] = cos((2 * j + 1) * i * 3.14159265358979 / 16) * (i ? 0.5 : 0.35355339059327);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      image[i][j] = (i * 19 + j * 7) % 256;
  for (int r = 0; r < N; r += 8)
    for (int c = 0; c < N; c += 8)
      dct_block(r, c);
  show("freq", &freq[0][0], N * N);
  return 0;
}
