/* Loopy (Namjoshi, Singhania 2016), Appendix B.13: seidel-2d with tag Loop.
 *
 * Our copy of the paper has the script only; the kernel is the one of PolyBench/C 4.1.
 */
#include <stdio.h>

enum { N = 7, STEPS = 4 };

void seidel_2d(int tsteps, int n, double A[n][n])
{
    int t, i, j;

#pragma scop
    for (t = 0; t <= tsteps - 1; t++)
        for (i = 1; i <= n - 2; i++)
            for (j = 1; j <= n - 2; j++) {
            Loop:
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] +
                           A[i][j + 1] + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                          9.0;
            }
#pragma endscop
}

int main(void)
{
    double A[N][N];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (i * i * j + 3 * j + 2) % 11;
    seidel_2d(STEPS, N, A);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%.6f%c", A[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
