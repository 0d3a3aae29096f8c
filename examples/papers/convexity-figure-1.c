/* Pouchet et al. 2011, Section 2.1, Figure 1: ThreeMatMat, C = AB, F = DE, G = CF. */
#include <stdio.h>

enum { SIZE = 5 };

void three_mat_mat(int N, double A[N][N], double B[N][N], double C[N][N], double D[N][N],
                   double E[N][N], double F[N][N], double G[N][N])
{
    int i1, j1, k1, i2, j2, k2, i3, j3, k3;

#pragma scop
    for (i1 = 0; i1 < N; ++i1)
        for (j1 = 0; j1 < N; ++j1)
            for (k1 = 0; k1 < N; ++k1)
R:
                C[i1][j1] += A[i1][k1] * B[k1][j1];
    for (i2 = 0; i2 < N; ++i2)
        for (j2 = 0; j2 < N; ++j2)
            for (k2 = 0; k2 < N; ++k2)
S:
                F[i2][j2] += D[i2][k2] * E[k2][j2];
    for (i3 = 0; i3 < N; ++i3)
        for (j3 = 0; j3 < N; ++j3)
            for (k3 = 0; k3 < N; ++k3)
T:
                G[i3][j3] += C[i3][k3] * F[k3][j3];
#pragma endscop
}

int main(void)
{
    static double A[SIZE][SIZE], B[SIZE][SIZE], C[SIZE][SIZE], D[SIZE][SIZE];
    static double E[SIZE][SIZE], F[SIZE][SIZE], G[SIZE][SIZE];

    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            A[i][j] = i - j;
            B[i][j] = (i * j) % 3;
            D[i][j] = i + 2 * j;
            E[i][j] = (i + j) % 4 - 1;
        }
    three_mat_mat(SIZE, A, B, C, D, E, F, G);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            printf("%.1f%c", G[i][j], j == SIZE - 1 ? '\n' : ' ');
    return 0;
}
