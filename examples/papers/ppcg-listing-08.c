/* PPCG (Verdoolaege, Janssens 2017), Section 5.1, Listing 8: syrk, two references to A. */
#include <stdio.h>

void syrk(int n, int m, double alpha, double beta, double C[n][n], double A[n][m])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (k = 0; k < m; k++) {
            for (j = 0; j <= i; j++)
                C[i][j] += alpha * A[i][k] * A[j][k];
        }
    }
#pragma endscop
}

int main(void)
{
    double A[6][4], C[6][6];

    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 4; k++)
            A[i][k] = (i * k + 1) % 6;
        for (int j = 0; j < 6; j++)
            C[i][j] = (i * j + 2) % 4;
    }
    syrk(6, 4, 1.5, 0.5, C, A);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            printf("%.2f%c", C[i][j], j == 5 ? '\n' : ' ');
    return 0;
}
