/* Triangular, trapezoidal and shifted bounds: pairs i < j, a packed triangle, a parallelogram. */
#include <stdio.h>

enum { N = 7 };

void shapes(int n, int A[N][N], int upper[N][N], int sheared[N][2 * N])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            upper[i][j - i - 1] = A[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n - 1 - i; j++)
            A[i][j] += upper[j][i];
    for (int i = 0; i < n; i++)
        for (int j = i; j < i + n; j++)
            sheared[i][j] = A[i][j - i];
    for (int i = 1; i < n - 1; i++)
        for (int j = 2 * i; j <= n + i - 1; j++)
            sheared[i][j] -= sheared[i - 1][j - 1];
#pragma endscop
}

int main(void)
{
    int sizes[] = {0, 1, 5, 7};

    for (int s = 0; s < 4; s++) {
        int A[N][N], upper[N][N] = {{0}}, sheared[N][2 * N] = {{0}};
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                A[i][j] = 10 * i + j;
        shapes(sizes[s], A, upper, sheared);
        for (int i = 0; i < sizes[s]; i++)
            for (int j = 0; j < sizes[s] + i; j++)
                printf("%d%c", sheared[i][j], j == sizes[s] + i - 1 ? '\n' : ' ');
    }
    return 0;
}
