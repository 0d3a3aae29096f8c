/* Loopy (Namjoshi, Singhania 2016), Appendix B.5: 3mm with tags InitE, CompE, ..., CompG. */
#include <stdio.h>

enum { NI = 4, NJ = 5, NK = 4, NL = 3, NM = 5 };

void three_mm(int ni, int nj, int nk, int nl, int nm, double E[ni][nj], double A[ni][nk],
              double B[nk][nj], double F[nj][nl], double C[nj][nm], double D[nm][nl],
              double G[ni][nl])
{
    int i, j, k;

#pragma scop
    /* E := A*B */
    for (i = 0; i < ni; i++)
        for (j = 0; j < nj; j++) {
            for (k = 0; k < 1; ++k) {
            InitE:
                E[i][j] = 0.0;
            }
            for (k = 0; k < nk; ++k) {
            CompE:
                E[i][j] += A[i][k] * B[k][j];
            }
        }
    /* F := C*D */
    for (i = 0; i < nj; i++)
        for (j = 0; j < nl; j++) {
            for (k = 0; k < 1; ++k) {
            InitF:
                F[i][j] = 0.0;
            }
            for (k = 0; k < nm; ++k) {
            CompF:
                F[i][j] += C[i][k] * D[k][j];
            }
        }
    /* G := E*F */
    for (i = 0; i < ni; i++)
        for (j = 0; j < nl; j++) {
            for (k = 0; k < 1; ++k) {
            InitG:
                G[i][j] = 0.0;
            }
            for (k = 0; k < nj; ++k) {
            CompG:
                G[i][j] += E[i][k] * F[k][j];
            }
        }
#pragma endscop
}

int main(void)
{
    double A[NI][NK], B[NK][NJ], C[NJ][NM], D[NM][NL], E[NI][NJ], F[NJ][NL], G[NI][NL];

    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NK; j++)
            A[i][j] = (i * j + 1) % NI / (5.0 * NI);
    for (int i = 0; i < NK; i++)
        for (int j = 0; j < NJ; j++)
            B[i][j] = (i * (j + 1) + 2) % NJ / (5.0 * NJ);
    for (int i = 0; i < NJ; i++)
        for (int j = 0; j < NM; j++)
            C[i][j] = i * (j + 3) % NL / (5.0 * NL);
    for (int i = 0; i < NM; i++)
        for (int j = 0; j < NL; j++)
            D[i][j] = (i * (j + 2) + 2) % NK / (5.0 * NK);
    three_mm(NI, NJ, NK, NL, NM, E, A, B, F, C, D, G);
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++)
            printf("%.6f%c", G[i][j], j == NL - 1 ? '\n' : ' ');
    return 0;
}
