/* ludcmp: A x = b by Crout's factorisation A = L U in place, L y = b and U x = y.
 *
 * Step i makes column i of L and row i + 1 of U; one scalar gathers all sums.  Pouchet et al. 2011,
 * Table 1: 9 loops, 14 statements, 35 references; `w -= e` counts as one reference to w. */

void ludcmp(int n, double A[n][n], double b[n], double x[n], double y[n])
{
    double w;
    int i, j, k;

#pragma scop
    for (i = 0; i < n - 1; i++) {
        for (j = i + 1; j < n; j++) {
            w = A[j][i];
            for (k = 0; k < i; k++)
                w -= A[j][k] * A[k][i];
            A[j][i] = w / A[i][i];
        }
        for (j = i + 1; j < n; j++) {
            w = A[i + 1][j];
            for (k = 0; k < i + 1; k++)
                w -= A[i + 1][k] * A[k][j];
            A[i + 1][j] = w;
        }
    }
    y[0] = b[0];
    for (i = 1; i < n; i++) {
        w = b[i];
        for (j = 0; j < i; j++)
            w -= A[i][j] * y[j];
        y[i] = w;
    }
    x[n - 1] = y[n - 1] / A[n - 1][n - 1];
    for (i = 0; i < n - 1; i++) {
        w = y[n - 2 - i];
        for (j = n - 1 - i; j < n; j++)
            w -= A[n - 2 - i][j] * x[j];
        x[n - 2 - i] = w / A[n - 2 - i][n - 2 - i];
    }
#pragma endscop
}
