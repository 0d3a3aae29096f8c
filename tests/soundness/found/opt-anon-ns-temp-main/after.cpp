#include <stdio.h>
#include <math.h>
#define N 200
double A[N][N],B[N][N],C[N][N];namespace { double t; }
void k(void) {
for (int i=0;i<N;i++) for (int j=0;j<N;j++) {A[i][j]=i+j; B[i][j]=i-j;} 
#pragma scop
#define lw_min(x, y) ((x) < (y) ? (x) : (y))
#pragma omp parallel for
for (int c0 = 0; c0 <= 198; c0 += 6)
  for (int c1 = 0; c1 <= 128; c1 += 128) {
    double t_copies[6][128];
    for (int c2 = c0; c2 <= lw_min(199, c0 + 5); c2++) {
      #pragma omp simd
      for (int c3 = c1; c3 <= lw_min(199, c1 + 127); c3++)
        t_copies[c2 - c0][c3 - c1] = 0;
    }
    for (int c2 = 0; c2 <= 128; c2 += 128)
      for (int c4 = c2; c4 <= lw_min(196, c2 + 127); c4 += 4)
        if (c0 <= 192) {
          const double A_0 = A[c0][c4];
          const double A_1 = A[c0][c4 + 1];
          const double A_2 = A[c0][c4 + 2];
          const double A_3 = A[c0][c4 + 3];
          const double A_4 = A[c0 + 1][c4];
          const double A_5 = A[c0 + 1][c4 + 1];
          const double A_6 = A[c0 + 1][c4 + 2];
          const double A_7 = A[c0 + 1][c4 + 3];
          const double A_8 = A[c0 + 2][c4];
          const double A_9 = A[c0 + 2][c4 + 1];
          const double A_10 = A[c0 + 2][c4 + 2];
          const double A_11 = A[c0 + 2][c4 + 3];
          const double A_12 = A[c0 + 3][c4];
          const double A_13 = A[c0 + 3][c4 + 1];
          const double A_14 = A[c0 + 3][c4 + 2];
          const double A_15 = A[c0 + 3][c4 + 3];
          const double A_16 = A[c0 + 4][c4];
          const double A_17 = A[c0 + 4][c4 + 1];
          const double A_18 = A[c0 + 4][c4 + 2];
          const double A_19 = A[c0 + 4][c4 + 3];
          const double A_20 = A[c0 + 5][c4];
          const double A_21 = A[c0 + 5][c4 + 1];
          const double A_22 = A[c0 + 5][c4 + 2];
          const double A_23 = A[c0 + 5][c4 + 3];
          #pragma omp simd
          for (int c5 = c1; c5 <= lw_min(199, c1 + 127); c5++) {
            const double B_0 = B[c4][c5];
            double t_0 = t_copies[0][c5 - c1];
            const double B_1 = B[c4 + 1][c5];
            const double B_2 = B[c4 + 2][c5];
            const double B_3 = B[c4 + 3][c5];
            double t_1 = t_copies[1][c5 - c1];
            double t_2 = t_copies[2][c5 - c1];
            double t_3 = t_copies[3][c5 - c1];
            double t_4 = t_copies[4][c5 - c1];
            double t_5 = t_copies[5][c5 - c1];
            t_0 += A_0 * B_0;
            t_0 += A_1 * B_1;
            t_0 += A_2 * B_2;
            t_0 += A_3 * B_3;
            t_1 += A_4 * B_0;
            t_1 += A_5 * B_1;
            t_1 += A_6 * B_2;
            t_1 += A_7 * B_3;
            t_2 += A_8 * B_0;
            t_2 += A_9 * B_1;
            t_2 += A_10 * B_2;
            t_2 += A_11 * B_3;
            t_3 += A_12 * B_0;
            t_3 += A_13 * B_1;
            t_3 += A_14 * B_2;
            t_3 += A_15 * B_3;
            t_4 += A_16 * B_0;
            t_4 += A_17 * B_1;
            t_4 += A_18 * B_2;
            t_4 += A_19 * B_3;
            t_5 += A_20 * B_0;
            t_5 += A_21 * B_1;
            t_5 += A_22 * B_2;
            t_5 += A_23 * B_3;
            t_copies[0][c5 - c1] = t_0;
            t_copies[1][c5 - c1] = t_1;
            t_copies[2][c5 - c1] = t_2;
            t_copies[3][c5 - c1] = t_3;
            t_copies[4][c5 - c1] = t_4;
            t_copies[5][c5 - c1] = t_5;
          }
        } else {
          for (int c5 = 198; c5 <= 199; c5++)
            for (int c6 = c4; c6 <= c4 + 3; c6++) {
              const double A_0 = A[c5][c6];
              #pragma omp simd
              for (int c7 = c1; c7 <= lw_min(199, c1 + 127); c7++)
                t_copies[c5 - 198][c7 - c1] += A_0 * B[c6][c7];
            }
        }
    for (int c2 = c0; c2 <= lw_min(199, c0 + 5); c2++) {
      #pragma omp simd
      for (int c3 = c1; c3 <= lw_min(199, c1 + 127); c3++)
        C[c2][c3] = t_copies[c2 - c0][c3 - c1];
    }
  }
(void)sizeof t;
#undef lw_min
#pragma endscop

}
int main(void){ k(); printf("%g\n",t);double s=0; for (int i=0;i<N;i++) for (int j=0;j<N;j++) s+=C[i][j]*(i+1); printf("%g\n",s); return 0; }
