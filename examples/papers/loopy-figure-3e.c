/* Loopy (Namjoshi, Singhania 2016), Section 3.1, Figure 3e: program T, an affine map of S.
 *
 * The map is {[i,j] -> [2i,i+j]}. The figure leaves N1 and N2 open: they are 2 * N and N + i / 2.
 */
#include <stdio.h>

enum { SIZE = 6 };

void program(int N, int u[N][N], int x[N][N], int y[N][N], int z[N][N], int w[N][N])
{
    int i, j;

#pragma scop
    for (i = 0; i < 2 * N; i += 2) {
        for (j = i / 2; j < N + i / 2; j++) {
        L:
            x[i / 2][j - i / 2] = u[i / 2][j - i / 2] + 1;
            y[i / 2][j - i / 2] = 2 * x[i / 2][j - i / 2];
            z[i / 2][j - i / 2] = x[i / 2][j - i / 2] - u[i / 2][j - i / 2] * y[i / 2][j - i / 2];
            w[i / 2][j - i / 2] = z[i / 2][j - i / 2] + y[i / 2][j - i / 2];
        }
    }
#pragma endscop
}

int main(void)
{
    static int u[SIZE][SIZE], x[SIZE][SIZE], y[SIZE][SIZE], z[SIZE][SIZE], w[SIZE][SIZE];

    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            u[i][j] = i * i - 3 * j;
    program(SIZE, u, x, y, z, w);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            printf("%d,%d%c", z[i][j], w[i][j], j == SIZE - 1 ? '\n' : ' ');
    return 0;
}
