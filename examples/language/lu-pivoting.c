/* LU decomposition with partial pivoting: a data-dependent pivot search and row exchange. */
#include <math.h>
#include <stdio.h>

enum { N = 6 };

void lu(int n, double A[n][n], int pivot[n])
{
#pragma scop
    for (int k = 0; k < n; k++) {
        int p = k;
        double largest = fabs(A[k][k]);
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > largest) {
                largest = fabs(A[i][k]);
                p = i;
            }
        pivot[k] = p;
        for (int j = 0; j < n; j++) {
            double swap = A[k][j];
            A[k][j] = A[p][j];
            A[p][j] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            A[i][k] /= A[k][k];
            for (int j = k + 1; j < n; j++)
                A[i][j] -= A[i][k] * A[k][j];
        }
    }
#pragma endscop
}

int main(void)
{
    double A[N][N], one[1][1] = {{-2.5}};
    int pivot[N], only[1];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (i * i * 5 + j * j * 3 + i * j) % 13 - 5.5;
    lu(1, one, only);
    lu(N, A, pivot);
    printf("%.6f %d\n", one[0][0], only[0]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%.6f%c", A[i][j], j == N - 1 ? '\n' : ' ');
    for (int i = 0; i < N; i++)
        printf("%d%c", pivot[i], i == N - 1 ? '\n' : ' ');
    return 0;
}
