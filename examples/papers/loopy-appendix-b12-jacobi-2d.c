/* Loopy (Namjoshi, Singhania 2016), Appendix B.12: jacobi-2d with tags LoopB and LoopA.
 *
 * Our copy of the paper has the script only; the kernel is the one of PolyBench/C 4.1.
 */
#include <stdio.h>

enum { N = 7, STEPS = 3 };

void jacobi_2d(int tsteps, int n, double A[n][n], double B[n][n])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < tsteps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++) {
            LoopB:
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
            }
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++) {
            LoopA:
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
            }
    }
#pragma endscop
}

int main(void)
{
    double A[N][N], B[N][N];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (i * (j + 2) + 2) % 9;
            B[i][j] = (i * (j + 3) + 3) % 9;
        }
    jacobi_2d(STEPS, N, A, B);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%.6f%c", A[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
