/* Loopy (Namjoshi, Singhania 2016), Appendix B.3: 2mm with tags Init, Mult, Scale and Sum. */
#include <stdio.h>

enum { NI = 4, NJ = 5, NK = 6, NL = 3 };

void two_mm(int ni, int nj, int nk, int nl, double alpha, double beta, double tmp[ni][nj],
            double A[ni][nk], double B[nk][nj], double C[nj][nl], double D[ni][nl])
{
    int i, j, k;

#pragma scop
    /* D := alpha*A*B*C + beta*D */
    for (i = 0; i < ni; i++)
        for (j = 0; j < nj; j++) {
            for (k = 0; k < 1; ++k) {
            Init:
                tmp[i][j] = 0.0;
            }
            for (k = 0; k < nk; ++k) {
            Mult:
                tmp[i][j] += alpha * A[i][k] * B[k][j];
            }
        }
    for (i = 0; i < ni; i++)
        for (j = 0; j < nl; j++) {
            for (k = 0; k < 1; ++k) {
            Scale:
                D[i][j] *= beta;
            }
            for (k = 0; k < nj; ++k) {
            Sum:
                D[i][j] += tmp[i][k] * C[k][j];
            }
        }
#pragma endscop
}

int main(void)
{
    double tmp[NI][NJ], A[NI][NK], B[NK][NJ], C[NJ][NL], D[NI][NL];

    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NK; j++)
            A[i][j] = (i * j + 1) % NI / (double)NI;
    for (int i = 0; i < NK; i++)
        for (int j = 0; j < NJ; j++)
            B[i][j] = i * (j + 1) % NJ / (double)NJ;
    for (int i = 0; i < NJ; i++)
        for (int j = 0; j < NL; j++)
            C[i][j] = (i * (j + 3) + 1) % NL / (double)NL;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++)
            D[i][j] = i * (j + 2) % NK / (double)NK;
    two_mm(NI, NJ, NK, NL, 1.5, 1.2, tmp, A, B, C, D);
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++)
            printf("%.6f%c", D[i][j], j == NL - 1 ? '\n' : ' ');
    return 0;
}
