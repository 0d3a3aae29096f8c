/* Pouchet et al. 2011, Section 2.1, Figure 2(c): ThreeMatMat, S and T share two loops. */
#include <stdio.h>

enum { SIZE = 5 };

void three_mat_mat(int N, double A[N][N], double B[N][N], double C[N][N], double D[N][N],
                   double E[N][N], double F[N][N], double G[N][N])
{
    int t1, t3, t5;

#pragma scop
    for (t1 = 0; t1 < N; ++t1)
        for (t3 = 0; t3 < N; ++t3)
            for (t5 = 0; t5 < N; ++t5)
R:
                C[t1][t3] += A[t1][t5] * B[t5][t3];
    for (t1 = 0; t1 < N; ++t1)
        for (t3 = 0; t3 < N; ++t3) {
            for (t5 = 0; t5 < N; ++t5)
S:
                F[t3][t1] += D[t3][t5] * E[t5][t1];
            for (t5 = 0; t5 < N; ++t5)
T:
                G[t5][t1] += C[t5][t3] * F[t3][t1];
        }
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
