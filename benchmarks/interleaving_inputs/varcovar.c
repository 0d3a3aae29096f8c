/* varcovar: the matrix of variances and covariances of the m columns of data.
 *
 * Means of the columns, columns less their means, sums of products of columns, copied into the
 * lower triangle.  Pouchet et al. 2011, Table 1: 7 loops, 7 statements, 26 references.  Here are 16
 * references: these loops and statements have no use for more, so 26 may be a misprint for 16. */

void varcovar(int m, int n, double data[n][m], double mean[m], double cov[m][m])
{
    int i, j, k;

#pragma scop
    for (j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (i = 0; i < n; i++)
            mean[j] = mean[j] + data[i][j];
        mean[j] = mean[j] / n;
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            data[i][j] = data[i][j] - mean[j];
    for (i = 0; i < m; i++)
        for (j = i; j < m; j++) {
            cov[i][j] = 0.0;
            for (k = 0; k < n; k++)
                cov[i][j] = cov[i][j] + data[k][i] * data[k][j];
            cov[j][i] = cov[i][j];
        }
#pragma endscop
}
