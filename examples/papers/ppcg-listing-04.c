/* PPCG (Verdoolaege, Janssens 2017), Section 4.4, Listing 4: matrix multiplication. */
#include <stdio.h>

void matmul(int M, int N, int K, double C[M][N], double A[M][K], double B[K][N])
{
#pragma scop
    for (int i = 0; i < M; i += 1)
        for (int j = 0; j < N; j += 1) {
S1:
            C[i][j] = 0;
            for (int k = 0; k < K; k += 1)
S2:
                C[i][j] = (C[i][j] + (A[i][k] * B[k][j]));
        }
#pragma endscop
}

int main(void)
{
    double A[4][6], B[6][5], C[4][5];

    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 6; k++)
            A[i][k] = i - 2 * k;
    for (int k = 0; k < 6; k++)
        for (int j = 0; j < 5; j++)
            B[k][j] = k + j * j;
    matmul(4, 5, 6, C, A, B);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            printf("%.1f%c", C[i][j], j == 4 ? '\n' : ' ');
    return 0;
}
