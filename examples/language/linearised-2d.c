/* Linearised two-dimensional arrays: A[i * n + j], with sizes that are parameters. */
#include <stdio.h>

enum { SIZE = 36 };

void matmul(int n, int m, int p, const double *A, const double *B, double *C)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            C[i * p + j] = 0.0;
            for (int k = 0; k < m; k++)
                C[i * p + j] += A[i * m + k] * B[k * p + j];
        }
#pragma endscop
}

int main(void)
{
    int sizes[][3] = {{0, 3, 2}, {1, 1, 1}, {4, 5, 6}, {3, 0, 4}};

    for (int s = 0; s < 4; s++) {
        double A[SIZE], B[SIZE], C[SIZE] = {0};
        for (int i = 0; i < SIZE; i++) {
            A[i] = i % 7 - 3;
            B[i] = i % 5 + 1;
        }
        matmul(sizes[s][0], sizes[s][1], sizes[s][2], A, B, C);
        for (int i = 0; i < sizes[s][0] * sizes[s][2]; i++)
            printf("%.1f ", C[i]);
        printf("\n");
    }
    return 0;
}
