/* PPCG (Verdoolaege, Janssens 2017), Section 6.4.3, Listing 14: cholesky with labels. */
#include <math.h>
#include <stdio.h>

enum { N = 8 };

void cholesky(int n, double A[n][n])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < n; i++) {
        // j < i
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++) {
A:
                A[i][j] -= A[i][k] * A[j][k];
            }
B:
            A[i][j] /= A[j][j];
        }
        // i == j case
        for (k = 0; k < i; k++) {
C:
            A[i][i] -= A[i][k] * A[i][k];
        }
D:
        A[i][i] = sqrt(A[i][i]);
    }
#pragma endscop
}

int main(void)
{
    double A[N][N];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = i == j ? 2.0 * N : 1.0 / (1 + i + j);
    cholesky(N, A);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            printf("%.6f%c", A[i][j], j == i ? '\n' : ' ');
    return 0;
}
