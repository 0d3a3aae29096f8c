/* Grosser et al. 2015, Section 7.2, Figure 6(c): youcefn (Bastoul 2004) with components. */
#include <stdio.h>

enum { SIZE = 10 };

void youcefn(int n, int m, int S1[SIZE][SIZE], int S2[SIZE][SIZE], int S3[SIZE][SIZE])
{
    int i, j;

#pragma scop
    for (i = 1; i <= n; i += 1) {
        S1[i][i] += 1;
        for (j = i; j <= n; j += 1)
            S2[i][j] += 1;
        S3[i][n] += 1;
    }
    for (i = n + 1; i <= m; i += 1)
        S3[i][n] += 1;
#pragma endscop
}

int main(void)
{
    int S1[SIZE][SIZE] = {{0}}, S2[SIZE][SIZE] = {{0}}, S3[SIZE][SIZE] = {{0}};

    youcefn(6, 9, S1, S2, S3);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            printf("%d%d%d%c", S1[i][j], S2[i][j], S3[i][j], j == SIZE - 1 ? '\n' : ' ');
    return 0;
}
