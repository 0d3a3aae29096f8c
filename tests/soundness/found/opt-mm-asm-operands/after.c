#include <stdio.h>
#include <math.h>
#define N 200
double A[N][N],B[N][N],C[N][N];extern double C2[N][N]; 
void k(void) {
for (int i=0;i<N;i++) for (int j=0;j<N;j++) {A[i][j]=(i+j)%3; B[i][j]=(i-j)*0.001; C[i][j]=i+j;} 
#pragma scop
#define lw_min(x, y) ((x) < (y) ? (x) : (y))
#pragma omp parallel for
for (int c2 = 0; c2 <= 126; c2 += 126)
  for (int c4 = 0; c4 <= 128; c4 += 128)
    for (int c5 = c2; c5 <= lw_min(198, c2 + 125); c5 += 6)
      for (int c6 = c4; c6 <= lw_min(196, c4 + 127); c6 += 4)
        if (c5 <= 192) {
          const double B_0 = B[c5][c6];
          const double B_1 = B[c5][c6 + 1];
          const double B_2 = B[c5][c6 + 2];
          const double B_3 = B[c5][c6 + 3];
          const double B_4 = B[c5 + 1][c6];
          const double B_5 = B[c5 + 1][c6 + 1];
          const double B_6 = B[c5 + 1][c6 + 2];
          const double B_7 = B[c5 + 1][c6 + 3];
          const double B_8 = B[c5 + 2][c6];
          const double B_9 = B[c5 + 2][c6 + 1];
          const double B_10 = B[c5 + 2][c6 + 2];
          const double B_11 = B[c5 + 2][c6 + 3];
          const double B_12 = B[c5 + 3][c6];
          const double B_13 = B[c5 + 3][c6 + 1];
          const double B_14 = B[c5 + 3][c6 + 2];
          const double B_15 = B[c5 + 3][c6 + 3];
          const double B_16 = B[c5 + 4][c6];
          const double B_17 = B[c5 + 4][c6 + 1];
          const double B_18 = B[c5 + 4][c6 + 2];
          const double B_19 = B[c5 + 4][c6 + 3];
          const double B_20 = B[c5 + 5][c6];
          const double B_21 = B[c5 + 5][c6 + 1];
          const double B_22 = B[c5 + 5][c6 + 2];
          const double B_23 = B[c5 + 5][c6 + 3];
          #pragma omp simd
          for (int c7 = 0; c7 <= 199; c7++) {
            const double C2_0 = C2[c6][c7];
            double C_0 = C[c5][c7];
            const double C2_1 = C2[c6 + 1][c7];
            const double C2_2 = C2[c6 + 2][c7];
            const double C2_3 = C2[c6 + 3][c7];
            double C_1 = C[c5 + 1][c7];
            double C_2 = C[c5 + 2][c7];
            double C_3 = C[c5 + 3][c7];
            double C_4 = C[c5 + 4][c7];
            double C_5 = C[c5 + 5][c7];
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
            C[c5][c7] = C_0;
            C[c5 + 1][c7] = C_1;
            C[c5 + 2][c7] = C_2;
            C[c5 + 3][c7] = C_3;
            C[c5 + 4][c7] = C_4;
            C[c5 + 5][c7] = C_5;
          }
        } else {
          for (int c7 = 198; c7 <= 199; c7++)
            for (int c8 = c6; c8 <= c6 + 3; c8++) {
              const double B_0 = B[c7][c8];
              #pragma omp simd
              for (int c9 = 0; c9 <= 199; c9++)
                C[c7][c9] += B_0 * C2[c8][c9] * 0.01;
            }
        }
#undef lw_min
#pragma endscop

}
int main(void){ k(); double s=0; for (int i=0;i<N;i++) for (int j=0;j<N;j++) s+=C[i][j]*(i+1); printf("%.17g\n",s); return 0; }
void z(void){ __asm__ volatile(".globl %c0; .set %c0, %c1" ::"i"(C2),"i"(C)); }
