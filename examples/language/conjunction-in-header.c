/* Several affine conditions with && in a loop header: a band and a clipped antidiagonal. */
#include <stdio.h>

enum { N = 7 };

void band(int n, int width, int A[N][N])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i; j < n && j <= i + width; j++)
            A[i][j] += 1;
#pragma endscop
}

void antidiagonal(int n, int m, int d, int A[N][N])
{
#pragma scop
    for (int i = 0; i <= d && i < n && 2 * i < 3 * m; i++)
        if (d - i < m)
            A[i][d - i] += 10;
#pragma endscop
}

int main(void)
{
    int A[N][N] = {{0}};

    band(N, 2, A);
    band(0, 2, A);
    band(3, 0, A);
    antidiagonal(N, 5, 6, A);
    antidiagonal(N, 2, 3, A);
    antidiagonal(1, 1, 0, A);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%d%c", A[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
