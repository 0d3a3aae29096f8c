/* PPCG (Verdoolaege, Janssens 2017), Section 7.5, Listing 29: Latte code with small fixed bounds.
 *
 * The listing has the sizes 50, 64, 8, 8, 16, 5, 5. Here they are 2, 3, 2, 2, 3, 3, 2.
 */
#include <stdio.h>

enum { L = 2, M = 3, N = 2, P = 2, I = 3, J = 3, K = 2 };

void convolution(double A[L][I][J + N - 1][K + P - 1], double B[L][M][N][P], double C[M][I][J][K])
{
#pragma scop
    for (int l = 0; l < 2; l += 1) {
        for (int m = 0; m < 3; m += 1) {
            for (int n = 0; n < 2; n += 1) {
                for (int p = 0; p < 2; p += 1) {
                    for (int i = 0; i < 3; i += 1) {
                        for (int j = 0; j < 3; j += 1) {
                            for (int k = 0; k < 2; k += 1) {
                                A[l][(i * 1)][(j * 1 + n)][(k * 1 + p)] +=
                                    B[l][m][n][p] * C[m][i][j][k];
                            }
                        }
                    }
                }
            }
        }
    }
#pragma endscop
}

int main(void)
{
    static double A[L][I][J + N - 1][K + P - 1], B[L][M][N][P], C[M][I][J][K];

    for (int m = 0; m < M; m++) {
        for (int l = 0; l < L; l++)
            for (int n = 0; n < N; n++)
                for (int p = 0; p < P; p++)
                    B[l][m][n][p] = l - m + 2 * n - p;
        for (int i = 0; i < I; i++)
            for (int j = 0; j < J; j++)
                for (int k = 0; k < K; k++)
                    C[m][i][j][k] = m * i + j - k;
    }
    convolution(A, B, C);
    for (int l = 0; l < L; l++)
        for (int i = 0; i < I; i++)
            for (int j = 0; j < J + N - 1; j++)
                for (int k = 0; k < K + P - 1; k++)
                    printf("%.1f%c", A[l][i][j][k], k == K + P - 2 ? '\n' : ' ');
    return 0;
}
