/* bicg: the two products of a step of the biconjugate gradient method, s = A^T r and q = A p.
 *
 * Pouchet et al. 2011, Table 1: 3 loops, 4 statements, 10 references. */

void bicg(int m, int n, double A[n][m], double p[m], double q[n], double r[n], double s[m])
{
    int i, j;

#pragma scop
    for (i = 0; i < m; i++)
        s[i] = 0.0;
    for (i = 0; i < n; i++) {
        q[i] = 0.0;
        for (j = 0; j < m; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
#pragma endscop
}
