/* Loopy (Namjoshi, Singhania 2016), Appendix B.1: gemver with tag Second. */
#include <stdio.h>

enum { N = 8 };

void gemver(int n, double alpha, double beta, double A[n][n], double u1[n], double v1[n],
            double u2[n], double v2[n], double w[n], double x[n], double y[n], double z[n])
{
    int i, j;

#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
        Second:
            x[i] = x[i] + beta * A[j][i] * y[j];
        }
    for (i = 0; i < n; i++)
        x[i] = x[i] + z[i];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            w[i] = w[i] + alpha * A[i][j] * x[j];
#pragma endscop
}

int main(void)
{
    double A[N][N], u1[N], v1[N], u2[N], v2[N], w[N], x[N], y[N], z[N];

    for (int i = 0; i < N; i++) {
        u1[i] = i;
        u2[i] = (i + 1) / (double)N / 2.0;
        v1[i] = (i + 1) / (double)N / 4.0;
        v2[i] = (i + 1) / (double)N / 6.0;
        y[i] = (i + 1) / (double)N / 8.0;
        z[i] = (i + 1) / (double)N / 9.0;
        x[i] = 0.0;
        w[i] = 0.0;
        for (int j = 0; j < N; j++)
            A[i][j] = i * j % N / (double)N;
    }
    gemver(N, 1.5, 1.2, A, u1, v1, u2, v2, w, x, y, z);
    for (int i = 0; i < N; i++)
        printf("%.6f %.6f\n", x[i], w[i]);
    return 0;
}
