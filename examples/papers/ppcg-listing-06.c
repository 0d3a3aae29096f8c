/* PPCG (Verdoolaege, Janssens 2017), Section 5.1, Listing 6: matmul before tiling. */
#include <stdio.h>

void matmul(int M, int N, int K, double C[M][N], double A[M][K], double B[K][N])
{
#pragma scop
    for (int c0 = 0; c0 < M; c0 += 1)
        for (int c1 = 0; c1 < N; c1 += 1) {
            C[c0][c1] = 0;
            for (int c2 = 0; c2 < K; c2 += 1)
                C[c0][c1] = (C[c0][c1] + (A[c0][c2] * B[c2][c1]));
        }
#pragma endscop
}

int main(void)
{
    static double A[3][3], B[3][34], C[3][34];

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            A[i][k] = i - 2 * k;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 34; j++)
            B[k][j] = k + j % 7;
    matmul(3, 34, 3, C, A, B);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 34; j++)
            printf("%.1f%c", C[i][j], j == 33 ? '\n' : ' ');
    return 0;
}
