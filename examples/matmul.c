/* Matrix product C = A B: the program that the README and `make demo` show. */
#include <stdio.h>

enum { N = 6, M = 5, P = 7 };

void matmul(int n, int m, int p, double C[n][p], const double A[n][m], const double B[m][p])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            C[i][j] = 0.0;
            for (int k = 0; k < m; k++)
Mult:
                C[i][j] += A[i][k] * B[k][j];
        }
#pragma endscop
}

int main(void)
{
    static double A[N][M], B[M][P], C[N][P];

    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++)
            A[i][k] = (i * k + 1) % N / (double)N;
    for (int k = 0; k < M; k++)
        for (int j = 0; j < P; j++)
            B[k][j] = (k * j + 2) % P / (double)P;

    matmul(N, M, P, C, A, B);

    double checksum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < P; j++)
            checksum += C[i][j] * (i + 2 * j + 1);
    printf("C[0][0] = %.6f, C[%d][%d] = %.6f\n", C[0][0], N - 1, P - 1, C[N - 1][P - 1]);
    printf("checksum = %.6f\n", checksum);
    return 0;
}
