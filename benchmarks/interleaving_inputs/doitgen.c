/* doitgen: a three-dimensional array times a matrix along its last dimension, in place.
 *
 * Pouchet et al. 2011, Table 1: 5 loops, 3 statements, 7 references. */

void doitgen(int nr, int nq, int np, double A[nr][nq][np], double C[np][np],
             double sum[nr][nq][np])
{
    int r, q, p, s;

#pragma scop
    for (r = 0; r < nr; r++)
        for (q = 0; q < nq; q++) {
            for (p = 0; p < np; p++) {
                sum[r][q][p] = 0.0;
                for (s = 0; s < np; s++)
                    sum[r][q][p] = sum[r][q][p] + A[r][q][s] * C[s][p];
            }
            for (p = 0; p < np; p++)
                A[r][q][p] = sum[r][q][p];
        }
#pragma endscop
}
