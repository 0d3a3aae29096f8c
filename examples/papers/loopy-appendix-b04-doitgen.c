/* Loopy (Namjoshi, Singhania 2016), Appendix B.4: doitgen with tags Init, Mult and Ret. */
#include <stdio.h>

enum { NR = 3, NQ = 4, NP = 5 };

void doitgen(int nr, int nq, int np, double A[nr][nq][np], double C4[np][np], double sum[np])
{
    int r, q, p, s;

#pragma scop
    for (r = 0; r < nr; r++)
        for (q = 0; q < nq; q++) {
            for (p = 0; p < np; p++) {
                for (s = 0; s < 1; s++) {
                Init:
                    sum[p] = 0.0;
                }
                for (s = 0; s < np; s++) {
                Mult:
                    sum[p] += A[r][q][s] * C4[s][p];
                }
            }
            for (p = 0; p < np; p++) {
            Ret:
                A[r][q][p] = sum[p];
            }
        }
#pragma endscop
}

int main(void)
{
    double A[NR][NQ][NP], C4[NP][NP], sum[NP];

    for (int r = 0; r < NR; r++)
        for (int q = 0; q < NQ; q++)
            for (int p = 0; p < NP; p++)
                A[r][q][p] = (r * q + p) % NP / (double)NP;
    for (int s = 0; s < NP; s++)
        for (int p = 0; p < NP; p++)
            C4[s][p] = s * p % NP / (double)NP;
    doitgen(NR, NQ, NP, A, C4, sum);
    for (int r = 0; r < NR; r++)
        for (int q = 0; q < NQ; q++)
            for (int p = 0; p < NP; p++)
                printf("%.6f%c", A[r][q][p], p == NP - 1 ? '\n' : ' ');
    return 0;
}
