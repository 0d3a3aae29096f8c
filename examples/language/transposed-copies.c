/* Reversed, transposed and strided subscripts with coefficients other than 1. */
#include <stdio.h>

enum { N = 6 };

void rearrange(int n, int A[n][n], int B[n][n], int line[2 * n + 1], int diagonal[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[n - 1 - j][i] = A[i][j];
    for (int i = 0; i < n; i++) {
        line[2 * i] = B[i][n - 1 - i];
        line[2 * i + 1] = -line[2 * i];
        diagonal[n - 1 - i] = A[i][i] + B[i][i];
    }
    for (int i = 0; i < n; i++)
        line[2 * n - 2 * i] = line[i];
#pragma endscop
}

int main(void)
{
    int A[N][N], B[N][N], line[2 * N + 1] = {0}, diagonal[N];
    int one[1][1] = {{9}}, other[1][1], three[3] = {0}, single[1];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = 10 * i + j;
    rearrange(N, A, B, line, diagonal);
    rearrange(1, one, other, three, single);
    for (int i = 0; i <= 2 * N; i++)
        printf("%d ", line[i]);
    for (int i = 0; i < N; i++)
        printf("%d ", diagonal[i]);
    printf("%d %d %d %d\n", three[0], three[1], three[2], single[0]);
    return 0;
}
