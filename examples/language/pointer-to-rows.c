/* Matrices as pointers to rows: double (*A)[n], from malloc and as parameters. */
#include <stdio.h>
#include <stdlib.h>

void transpose_scaled(int n, int m, double alpha, double (*A)[m], double (*B)[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            B[j][i] = alpha * A[i][j];
#pragma endscop
}

double checksum(int n, int m)
{
    double(*A)[m] = malloc(sizeof(double[n][m]));
    double(*B)[n] = malloc(sizeof(double[m][n]));
    double sum = 0.0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] = i - 3 * j;
    transpose_scaled(n, m, 0.5, A, B);
#pragma scop
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            sum += B[j][i] * (j + 1);
#pragma endscop
    free(A);
    free(B);
    return sum;
}

int main(void)
{
    printf("%.6f %.6f %.6f\n", checksum(1, 1), checksum(4, 6), checksum(5, 2));
    return 0;
}
