/* Labelled blocks: { Tag: for ... }, and a tag on the first statement of a loop body. */
#include <stdio.h>

enum { N = 6 };

void atax(int m, int n, double A[m][n], const double x[n], double y[n], double tmp[m])
{
    int i, j;

#pragma scop
    {
    Clear:
        for (i = 0; i < n; i++)
            y[i] = 0.0;
    }
    for (i = 0; i < m; i++) {
    Product:
        tmp[i] = 0.0;
        for (j = 0; j < n; j++)
            tmp[i] = tmp[i] + A[i][j] * x[j];
    }
    {
    Transposed:
        for (i = 0; i < m; i++)
            for (j = 0; j < n; j++)
                y[j] = y[j] + A[i][j] * tmp[i];
    }
#pragma endscop
}

int main(void)
{
    double A[N - 1][N], x[N], y[N], tmp[N - 1];

    for (int j = 0; j < N; j++) {
        x[j] = 1.0 + j / (double)N;
        for (int i = 0; i < N - 1; i++)
            A[i][j] = (i + j) % N / (5.0 * N);
    }
    atax(N - 1, N, A, x, y, tmp);
    for (int j = 0; j < N; j++)
        printf("%.6f\n", y[j]);
    return 0;
}
