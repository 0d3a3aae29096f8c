/* Scalars and arrays that are declared inside the region, at the top and in loop bodies. */
#include <stdio.h>

enum { N = 6 };

void normalise_columns(int n, double A[n][n], double norms[n])
{
#pragma scop
    double largest[N];
    double scale = 1.0 / n;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        double copy[N];
        for (int i = 0; i < n; i++) {
            double value = A[i][j] * scale;
            copy[i] = value;
            sum += value * value;
        }
        largest[j] = sum;
        for (int i = 0; i < n; i++)
            A[i][j] = copy[n - 1 - i] / (1.0 + sum);
    }
    for (int j = 0; j < n; j++)
        norms[j] = largest[j];
#pragma endscop
}

int main(void)
{
    double A[N][N], norms[N], one[1][1] = {{3.0}}, norm[1];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = i * (j + 1) % 5;
    normalise_columns(N, A, norms);
    normalise_columns(1, one, norm);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%.6f%c", A[i][j], j == N - 1 ? '\n' : ' ');
    for (int j = 0; j < N; j++)
        printf("%.6f%c", norms[j], j == N - 1 ? '\n' : ' ');
    printf("%.6f %.6f\n", one[0][0], norm[0]);
    return 0;
}
