/* Loopy (Namjoshi, Singhania 2016), Section 3.1, Figure 3d: program S, L = lift(L1, 2) on R. */
#include <stdio.h>

enum { SIZE = 6 };

void program(int N, int u[N][N], int x[N][N], int y[N][N], int z[N][N], int w[N][N])
{
    int i, j;

#pragma scop
    for (i = 0; i < N; i++) {
        for (j = 0; j < N; j++) {
        L:
            x[i][j] = u[i][j] + 1;
            y[i][j] = 2 * x[i][j];
            z[i][j] = x[i][j] - u[i][j] * y[i][j];
            w[i][j] = z[i][j] + y[i][j];
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
