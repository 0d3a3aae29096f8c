/* Loopy (Namjoshi, Singhania 2016), Appendix B.8: lu with tags Left, Norm and Right. */
#include <stdio.h>

enum { N = 8 };

void lu(int n, double A[n][n])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++) {
            Left:
                A[i][j] -= A[i][k] * A[k][j];
            }
            for (k = 0; k < 1; k++) {
            Norm:
                A[i][j] /= A[j][j];
            }
        }
        for (j = i; j < n; j++) {
            for (k = 0; k < i; k++) {
            Right:
                A[i][j] -= A[i][k] * A[k][j];
            }
        }
    }
#pragma endscop
}

int main(void)
{
    double A[N][N];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = i == j ? 2.0 * N : (i * j + i) % 5 - 2.0;
    lu(N, A);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%.6f%c", A[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
