/* Iterators declared at the top of the function and reused by several loops. */
#include <stdio.h>

enum { N = 6, M = 4 };

void row_and_column_sums(int n, int m, int A[n][m], int row[n], int column[m])
{
    int i, j;

#pragma scop
    for (i = 0; i < n; i++)
        row[i] = 0;
    for (j = 0; j < m; j++)
        column[j] = 0;
    for (i = 0; i < n; ++i)
        for (j = 0; j < m; ++j) {
            row[i] += A[i][j];
            column[j] += A[i][j];
        }
    for (int k = 1; k < n; k++)
        row[k] += row[k - 1];
#pragma endscop
}

int main(void)
{
    int A[N][M], row[N], column[M];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = i * 10 + j;
    row_and_column_sums(N, M, A, row, column);
    for (int i = 0; i < N; i++)
        printf("%d ", row[i]);
    for (int j = 0; j < M; j++)
        printf("%d ", column[j]);
    printf("\n");
    return 0;
}
