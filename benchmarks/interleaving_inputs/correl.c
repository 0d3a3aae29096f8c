/* correl: what a matrix of correlations is made of, the means of the m columns of data and the sums
 * of their products.
 *
 * Pouchet et al. 2011, Table 1: 5 loops, 6 statements, 12 references; `mean[j] /= n` counts as one
 * reference.  So few loops leave no room for standard deviations. */

void correl(int m, int n, double data[n][m], double mean[m], double corr[m][m])
{
    int i, j, k;

#pragma scop
    for (j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (i = 0; i < n; i++)
            mean[j] = mean[j] + data[i][j];
        mean[j] /= n;
    }
    for (i = 0; i < m; i++)
        for (j = i; j < m; j++) {
            corr[i][j] = 0.0;
            for (k = 0; k < n; k++)
                corr[i][j] = corr[i][j] + data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
#pragma endscop
}
