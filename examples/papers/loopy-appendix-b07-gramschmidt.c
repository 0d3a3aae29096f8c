/* Loopy (Namjoshi, Singhania 2016), Appendix B.7: gramschmidt with tags InitR, UpdateR, UpdateA. */
#include <math.h>
#include <stdio.h>

enum { M = 6, N = 5 };

void gramschmidt(int m, int n, double A[m][n], double R[n][n], double Q[m][n])
{
    int i, j, k;
    double nrm;

#pragma scop
    for (k = 0; k < n; k++) {
        nrm = 0.0;
        for (i = 0; i < m; i++)
            nrm += A[i][k] * A[i][k];
        R[k][k] = sqrt(nrm);
        for (i = 0; i < m; i++)
            Q[i][k] = A[i][k] / R[k][k];
        for (j = k + 1; j < n; j++) {
            for (i = 0; i < 1; i++) {
            InitR:
                R[k][j] = 0.0;
            }
            for (i = 0; i < m; i++) {
            UpdateR:
                R[k][j] += Q[i][k] * A[i][j];
            }
            for (i = 0; i < m; i++) {
            UpdateA:
                A[i][j] = A[i][j] - Q[i][k] * R[k][j];
            }
        }
    }
#pragma endscop
}

int main(void)
{
    static double A[M][N], R[N][N], Q[M][N];

    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (i == j ? 4.0 : 0.0) + (i * (j + 2) % M) / (double)M;
    gramschmidt(M, N, A, R, Q);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%.6f%c", R[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
