/* Downward loops and steps other than 1: back substitution, i -= 3, i += 2, reversal in place. */
#include <stdio.h>

enum { N = 10 };

void back_substitution(int n, double U[N][N], double x[])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        for (int j = n - 1; j > i; --j)
            x[i] -= U[i][j] * x[j];
        x[i] /= U[i][i];
    }
#pragma endscop
}

void strides(int n, int a[], int b[])
{
#pragma scop
    for (int i = n - 1; i >= 0; i -= 3)
        a[i] = 2 * i;
    for (int i = 1; i < n; i += 2)
        b[i] = a[i] + 1;
    for (int i = n; i > 0; i = i - 4)
        b[i - 1] -= i;
    for (int i = 0; i < n / 2; i++) {
        int swap = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = swap;
    }
#pragma endscop
}

int main(void)
{
    for (int n = 0; n <= N; n += 5) {
        double U[N][N], x[N];
        int a[N] = {0}, b[N] = {0};
        for (int i = 0; i < N; i++) {
            x[i] = i + 1;
            for (int j = 0; j < N; j++)
                U[i][j] = i == j ? 2.0 + i : 0.125 * (j - i);
        }
        back_substitution(n, U, x);
        strides(n, a, b);
        for (int i = 0; i < N; i++)
            printf("%.6f %d %d\n", x[i], a[i], b[i]);
    }
    return 0;
}
