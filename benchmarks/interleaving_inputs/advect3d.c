/* advect3d: one step of advection in three dimensions, of sixth order in space.
 *
 * The flux through the lower face of each cell along x, y and z is the velocity there times a value
 * interpolated from the three cells on either side; what flows in less what flows out changes the
 * cell.  Pouchet et al. 2011, Table 1: 12 loops, 4 statements, 32 references. */

#define NEAR (37.0 / 60.0)
#define FAR (-8.0 / 60.0)
#define FARTHEST (1.0 / 60.0)

void advect3d(int n, double q[n][n][n], double u[n][n][n], double v[n][n][n], double w[n][n][n],
              double fx[n][n][n], double fy[n][n][n], double fz[n][n][n], double next[n][n][n])
{
    int i, j, k;

#pragma scop
    for (i = 3; i < n - 2; i++)
        for (j = 3; j < n - 3; j++)
            for (k = 3; k < n - 3; k++)
                fx[i][j][k] = u[i][j][k] * (NEAR * (q[i - 1][j][k] + q[i][j][k]) +
                                            FAR * (q[i - 2][j][k] + q[i + 1][j][k]) +
                                            FARTHEST * (q[i - 3][j][k] + q[i + 2][j][k]));
    for (i = 3; i < n - 3; i++)
        for (j = 3; j < n - 2; j++)
            for (k = 3; k < n - 3; k++)
                fy[i][j][k] = v[i][j][k] * (NEAR * (q[i][j - 1][k] + q[i][j][k]) +
                                            FAR * (q[i][j - 2][k] + q[i][j + 1][k]) +
                                            FARTHEST * (q[i][j - 3][k] + q[i][j + 2][k]));
    for (i = 3; i < n - 3; i++)
        for (j = 3; j < n - 3; j++)
            for (k = 3; k < n - 2; k++)
                fz[i][j][k] = w[i][j][k] * (NEAR * (q[i][j][k - 1] + q[i][j][k]) +
                                            FAR * (q[i][j][k - 2] + q[i][j][k + 1]) +
                                            FARTHEST * (q[i][j][k - 3] + q[i][j][k + 2]));
    for (i = 3; i < n - 3; i++)
        for (j = 3; j < n - 3; j++)
            for (k = 3; k < n - 3; k++)
                next[i][j][k] = q[i][j][k] + (fx[i][j][k] - fx[i + 1][j][k]) +
                                (fy[i][j][k] - fy[i][j + 1][k]) + (fz[i][j][k] - fz[i][j][k + 1]);
#pragma endscop
}
