/* atax: y = A^T (A x).
 *
 * Pouchet et al. 2011, Table 1: 4 loops, 4 statements, 10 references. */

void atax(int m, int n, double A[m][n], double x[n], double y[n], double t[m])
{
    int i, j;

#pragma scop
    for (i = 0; i < n; i++)
        y[i] = 0.0;
    for (i = 0; i < m; i++) {
        t[i] = 0.0;
        for (j = 0; j < n; j++)
            t[i] = t[i] + A[i][j] * x[j];
        for (j = 0; j < n; j++)
            y[j] = y[j] + A[i][j] * t[i];
    }
#pragma endscop
}
