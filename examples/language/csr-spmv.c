/* Data-dependent for bounds: a sparse matrix (CSR) times a vector. */
#include <stdio.h>

enum { ROWS = 5, COLUMNS = 6, NONZEROS = 9 };

void spmv(int n, const int row_start[], const int column[], const double value[], const double x[],
          double y[])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int k = row_start[i]; k < row_start[i + 1]; k++)
            y[i] += value[k] * x[column[k]];
    }
#pragma endscop
}

int main(void)
{
    const int row_start[ROWS + 1] = {0, 2, 2, 5, 8, 9};
    const int column[NONZEROS] = {0, 3, 1, 2, 5, 0, 4, 5, 2};
    double value[NONZEROS], x[COLUMNS], y[ROWS] = {0};

    for (int k = 0; k < NONZEROS; k++)
        value[k] = 0.5 * k - 1.0;
    for (int j = 0; j < COLUMNS; j++)
        x[j] = j * j + 1;
    spmv(0, row_start, column, value, x, y);
    spmv(ROWS, row_start, column, value, x, y);
    for (int i = 0; i < ROWS; i++)
        printf("%.2f\n", y[i]);
    return 0;
}
