/* continue on an affine condition and on data: a product that skips the diagonal and the zeros. */
#include <stdio.h>

enum { N = 6 };

void off_diagonal_product(int n, double A[N][N], const double x[], double y[])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            if (i == j)
                continue;
            if (x[j] == 0.0)
                continue;
            y[i] += A[i][j] * x[j];
        }
        if (i % 2 == 1)
            continue;
        y[i] = -y[i];
    }
#pragma endscop
}

int main(void)
{
    double A[N][N], x[N], y[N] = {0};

    for (int i = 0; i < N; i++) {
        x[i] = i % 3;
        for (int j = 0; j < N; j++)
            A[i][j] = 1 + i - 2 * j;
    }
    off_diagonal_product(0, A, x, y);
    off_diagonal_product(1, A, x, y);
    off_diagonal_product(N, A, x, y);
    for (int i = 0; i < N; i++)
        printf("%.1f\n", y[i]);
    return 0;
}
