/* Kelly et al. 1995, Section 4, Figure 3: the original code of the LU decomposition. */
#include <stdio.h>

enum { N = 9 };

void lu(int n, double a[n + 1][n + 1])
{
#pragma scop
    for (int k = 1; k <= n; k++)
        for (int i = k + 1; i <= n; i++) {
S1:
            a[i][k] = a[i][k] / a[k][k];
            for (int j = k + 1; j <= n; j++)
S2:
                a[i][j] = a[i][j] - a[i][k] * a[k][j];
        }
#pragma endscop
}

int main(void)
{
    static double a[N + 1][N + 1];

    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            a[i][j] = i == j ? 3.0 * N : (i * j) % 5 - 2.0;
    lu(N, a);
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            printf("%.6f%c", a[i][j], j == N ? '\n' : ' ');
    return 0;
}
