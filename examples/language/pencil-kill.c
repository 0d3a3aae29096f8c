/* __pencil_kill: temporaries whose values do not flow to the next row or out of the region. */
#include <stdio.h>

#include "pencil.h"

enum { N = 6 };

void smooth(int n, double A[restrict static n][N], double tmp[restrict static N])
{
    double last;

#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_kill(tmp);
        for (int j = 0; j < N; j++)
            tmp[j] = A[i][j];
        for (int j = 1; j < N - 1; j++)
            A[i][j] = 0.25 * tmp[j - 1] + 0.5 * tmp[j] + 0.25 * tmp[j + 1];
        last = A[i][N - 1];
        A[i][0] += last;
        __pencil_kill(last);
    }
    __pencil_kill(tmp);
#pragma endscop
}

int main(void)
{
    double A[N][N], tmp[N];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (i * 5 + j * j) % 7;
    smooth(1, A, tmp);
    smooth(N, A, tmp);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%.6f%c", A[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
