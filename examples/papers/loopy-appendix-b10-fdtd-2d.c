/* Loopy (Namjoshi, Singhania 2016), Appendix B.10: fdtd-2d with tags EY, EX and HZ. */
#include <stdio.h>

enum { TMAX = 3, NX = 5, NY = 6 };

void fdtd_2d(int tmax, int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny],
             double _fict_[tmax])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < tmax; t++) {
        for (j = 0; j < ny; j++)
            ey[0][j] = _fict_[t];
        for (i = 1; i < nx; i++)
            for (j = 0; j < ny; j++) {
            EY:
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
            }
        for (i = 0; i < nx; i++)
            for (j = 1; j < ny; j++) {
            EX:
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
            }
        for (i = 0; i < nx - 1; i++)
            for (j = 0; j < ny - 1; j++) {
            HZ:
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
            }
    }
#pragma endscop
}

int main(void)
{
    double ex[NX][NY], ey[NX][NY], hz[NX][NY], _fict_[TMAX];

    for (int t = 0; t < TMAX; t++)
        _fict_[t] = t;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++) {
            ex[i][j] = i * (j + 1) / (double)NX;
            ey[i][j] = i * (j + 2) / (double)NY;
            hz[i][j] = i * (j + 3) / (double)NX;
        }
    fdtd_2d(TMAX, NX, NY, ex, ey, hz, _fict_);
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            printf("%.6f%c", hz[i][j], j == NY - 1 ? '\n' : ' ');
    return 0;
}
