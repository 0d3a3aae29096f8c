/* Loopy (Namjoshi, Singhania 2016), Appendix B.9: adi with tags PQinit, PQ, Vinit and V.
 *
 * The appendix cuts the kernel at the row sweep, which is the one of PolyBench/C 4.1, untagged.
 */
#include <stdio.h>

enum { N = 6, STEPS = 2 };

void adi(int tsteps, int n, double u[n][n], double v[n][n], double p[n][n], double q[n][n])
{
    int t, i, j;
    double DX = 1.0 / n;
    double DY = 1.0 / n;
    double DT = 1.0 / tsteps;
    double mul1 = 2.0 * DT / (DX * DX);
    double mul2 = 1.0 * DT / (DY * DY);
    double a = -mul1 / 2.0;
    double b = 1.0 + mul1;
    double c = a;
    double d = -mul2 / 2.0;
    double e = 1.0 + mul2;
    double f = d;

#pragma scop
    for (t = 1; t <= tsteps; t++) {
        // Column Sweep
        for (i = 1; i < n - 1; i++) {
            for (j = 0; j < 1; j++) {
            PQinit:
                v[0][i] = 1.0;
                p[i][0] = 0.0;
                q[i][0] = v[0][i];
            }
            for (j = 1; j < n - 1; j++) {
            PQ:
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] -
                           a * q[i][j - 1]) /
                          (a * p[i][j - 1] + b);
            }
            for (j = 0; j < 1; j++) {
            Vinit:
                v[n - 1][i] = 1.0;
            }
            for (j = n - 2; j >= 1; j--) {
            V:
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
            }
        }
        // Row Sweep
        for (i = 1; i < n - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (j = 1; j < n - 1; j++) {
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] -
                           d * q[i][j - 1]) /
                          (d * p[i][j - 1] + e);
            }
            u[i][n - 1] = 1.0;
            for (j = n - 2; j >= 1; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
#pragma endscop
}

int main(void)
{
    static double u[N][N], v[N][N], p[N][N], q[N][N];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            u[i][j] = (i + N - j) / (double)N;
    adi(STEPS, N, u, v, p, q);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%.6f%c", u[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
