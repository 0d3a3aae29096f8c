/* A pointer to the current row: double *row = A[i]; row[j]. */
#include <stdio.h>

enum { N = 5, M = 6 };

void smooth_rows(int n, int m, double A[n][m], double B[n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double *row = A[i];
        double *out = B[i];
        for (int j = 1; j < m - 1; j++)
            out[j] = (row[j - 1] + row[j] + row[j + 1]) / 3.0;
    }
#pragma endscop
}

int main(void)
{
    double A[N][M], B[N][M] = {{0}};

    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = i * j % 4;
    smooth_rows(N, M, A, B);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            printf("%.6f%c", B[i][j], j == M - 1 ? '\n' : ' ');
    return 0;
}
