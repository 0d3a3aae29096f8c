/* correl: the correlations of the m columns of data, whose means and standard deviations are known.
 *
 * Pouchet et al. 2011, Table 1: 5 loops, 6 statements, 12 references; `c += e` counts as one
 * reference to c.  The paper does not print the program.  Other programs around means, deviations
 * and products of columns fit these columns too, and have from 20 to 604 interleavings; this one
 * was chosen among them because it has the 176 of the table. */

void correl(int m, int n, double data[n][m], double mean[m], double deviation[m],
            double corr[m][m])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            data[i][j] = (data[i][j] - mean[j]) / deviation[j];
    for (i = 0; i < m - 1; i++) {
        corr[i][i] = 1.0;
        for (j = i + 1; j < m; j++) {
            corr[i][j] = 0.0;
            for (k = 0; k < n; k++)
                corr[i][j] += data[k][i] * data[k][j];
            corr[i][j] /= n;
            corr[j][i] = corr[i][j];
        }
    }
#pragma endscop
}
