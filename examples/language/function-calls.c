/* Calls of functions whose body is in the file, and that read and write arrays through pointers. */
#include <stdio.h>

enum { N = 6 };

static double average(double left, double right)
{
    return 0.5 * (left + right);
}

static double dot(int n, const double x[], const double y[])
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void axpy(int n, double alpha, const double x[], double y[])
{
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}

static void store(double *target, double value)
{
    *target = value;
}

void orthogonalise(int n, double A[N][N], double lengths[])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            axpy(n, -dot(n, A[i], A[j]) / lengths[j], A[j], A[i]);
        store(&lengths[i], dot(n, A[i], A[i]));
    }
    for (int i = 1; i < n; i++)
        A[i][0] = average(A[i][0], A[i - 1][0]);
#pragma endscop
}

int main(void)
{
    for (int n = 0; n <= N; n += 3) {
        double A[N][N], lengths[N] = {0};
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                A[i][j] = i == j ? 7.0 : i * j % 3;
        orthogonalise(n, A, lengths);
        for (int i = 0; i < n; i++)
            printf("%.6f %.6f %.6f\n", lengths[i], A[i][0], A[i][n - 1]);
    }
    return 0;
}
