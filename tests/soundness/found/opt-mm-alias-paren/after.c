#include <stdio.h>
#include <math.h>
#define N 200
double A[N][N],B[N][N],C[N][N];extern double (C2)[N][N] __attribute__((alias("C")));
void k(void) {
for (int i=0;i<N;i++) for (int j=0;j<N;j++) {A[i][j]=(i+j)%3; B[i][j]=(i-j)*0.001; C[i][j]=i+j;} 
#pragma scop
#define lw_min(x, y) ((x) < (y) ? (x) : (y))
#pragma omp parallel for
for (int c0 = 0; c0 <= 126; c0 += 126)
  for (int c2 = 0; c2 <= 128; c2 += 128)
    for (int c3 = c0; c3 <= lw_min(198, c0 + 125); c3 += 6)
      for (int c4 = c2; c4 <= lw_min(196, c2 + 127); c4 += 4)
        if (c3 <= 192) {
          const double B_0 = B[c3][c4];
          const double B_1 = B[c3][c4 + 1];
          const double B_2 = B[c3][c4 + 2];
          const double B_3 = B[c3][c4 + 3];
          const double B_4 = B[c3 + 1][c4];
          const double B_5 = B[c3 + 1][c4 + 1];
          const double B_6 = B[c3 + 1][c4 + 2];
          const double B_7 = B[c3 + 1][c4 + 3];
          const double B_8 = B[c3 + 2][c4];
          const double B_9 = B[c3 + 2][c4 + 1];
          const double B_10 = B[c3 + 2][c4 + 2];
          const double B_11 = B[c3 + 2][c4 + 3];
          const double B_12 = B[c3 + 3][c4];
          const double B_13 = B[c3 + 3][c4 + 1];
          const double B_14 = B[c3 + 3][c4 + 2];
          const double B_15 = B[c3 + 3][c4 + 3];
          const double B_16 = B[c3 + 4][c4];
          const double B_17 = B[c3 + 4][c4 + 1];
          const double B_18 = B[c3 + 4][c4 + 2];
          const double B_19 = B[c3 + 4][c4 + 3];
          const double B_20 = B[c3 + 5][c4];
          const double B_21 = B[c3 + 5][c4 + 1];
          const double B_22 = B[c3 + 5][c4 + 2];
          const double B_23 = B[c3 + 5][c4 + 3];
          #pragma omp simd
          for (int c5 = 0; c5 <= 199; c5++) {
            const double C2_0 = C2[c4][c5];
            double C_0 = C[c3][c5];
            const double C2_1 = C2[c4 + 1][c5];
            const double C2_2 = C2[c4 + 2][c5];
            const double C2_3 = C2[c4 + 3][c5];
            double C_1 = C[c3 + 1][c5];
            double C_2 = C[c3 + 2][c5];
            double C_3 = C[c3 + 3][c5];
            double C_4 = C[c3 + 4][c5];
            double C_5 = C[c3 + 5][c5];
            C_0 += B_0 * C2_0 * 0.01;
            C_0 += B_1 * C2_1 * 0.01;
            C_0 += B_2 * C2_2 * 0.01;
            C_0 += B_3 * C2_3 * 0.01;
            C_1 += B_4 * C2_0 * 0.01;
            C_1 += B_5 * C2_1 * 0.01;
            C_1 += B_6 * C2_2 * 0.01;
            C_1 += B_7 * C2_3 * 0.01;
            C_2 += B_8 * C2_0 * 0.01;
            C_2 += B_9 * C2_1 * 0.01;
            C_2 += B_10 * C2_2 * 0.01;
            C_2 += B_11 * C2_3 * 0.01;
            C_3 += B_12 * C2_0 * 0.01;
            C_3 += B_13 * C2_1 * 0.01;
            C_3 += B_14 * C2_2 * 0.01;
            C_3 += B_15 * C2_3 * 0.01;
            C_4 += B_16 * C2_0 * 0.01;
            C_4 += B_17 * C2_1 * 0.01;
            C_4 += B_18 * C2_2 * 0.01;
            C_4 += B_19 * C2_3 * 0.01;
            C_5 += B_20 * C2_0 * 0.01;
            C_5 += B_21 * C2_1 * 0.01;
            C_5 += B_22 * C2_2 * 0.01;
            C_5 += B_23 * C2_3 * 0.01;
            C[c3][c5] = C_0;
            C[c3 + 1][c5] = C_1;
            C[c3 + 2][c5] = C_2;
            C[c3 + 3][c5] = C_3;
            C[c3 + 4][c5] = C_4;
            C[c3 + 5][c5] = C_5;
          }
        } else {
          for (int c5 = 198; c5 <= 199; c5++)
            for (int c6 = c4; c6 <= c4 + 3; c6++) {
              const double B_0 = B[c5][c6];
              #pragma omp simd
              for (int c7 = 0; c7 <= 199; c7++)
                C[c5][c7] += B_0 * C2[c6][c7] * 0.01;
            }
        }
#undef lw_min
#pragma endscop

}
int main(void){ k(); double s=0; for (int i=0;i<N;i++) for (int j=0;j<N;j++) s+=C[i][j]*(i+1); printf("%.17g\n",s); return 0; }
