/* PPCG (Verdoolaege, Janssens 2017), Section 5.1, Listing 7: matmul after tiling by 32. */
#include <stdio.h>

#define ppcg_min(x, y) ((x) < (y) ? (x) : (y))

void matmul(int M, int N, int K, double C[M][N], double A[M][K], double B[K][N])
{
#pragma scop
    for (int c0 = 0; c0 < M; c0 += 32)
        for (int c1 = 0; c1 < N; c1 += 32)
            for (int c2 = 0; c2 < K; c2 += 32)
                for (int c3 = 0; c3 <= ppcg_min(31, M - c0 - 1); c3 += 1)
                    for (int c4 = 0; c4 <= ppcg_min(31, N - c1 - 1); c4 += 1) {
                        if (c2 == 0)
                            C[c0 + c3][c1 + c4] = 0;
                        for (int c5 = 0; c5 <= ppcg_min(31, K - c2 - 1); c5 += 1)
                            C[c0 + c3][c1 + c4] = (C[c0 + c3][c1 + c4] +
                                                   (A[c0 + c3][c2 + c5] * B[c2 + c5][c1 + c4]));
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
