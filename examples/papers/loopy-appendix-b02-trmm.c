/* Loopy (Namjoshi, Singhania 2016), Appendix B.2: trmm with tags Mult and Alpha. */
#include <stdio.h>

enum { M = 6, N = 5 };

void trmm(int m, int n, double alpha, double A[m][m], double B[m][n])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            for (k = i + 1; k < m; k++) {
            Mult:
                B[i][j] += A[k][i] * B[k][j];
            }
            for (k = 0; k < 1; k++) {
            Alpha:
                B[i][j] = alpha * B[i][j];
            }
        }
#pragma endscop
}

int main(void)
{
    double A[M][M], B[M][N];

    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++)
            A[i][j] = (i + j) % M / (double)M;
        for (int j = 0; j < N; j++)
            B[i][j] = (N + i - j) / (double)N;
    }
    trmm(M, N, 1.5, A, B);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            printf("%.6f%c", B[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
