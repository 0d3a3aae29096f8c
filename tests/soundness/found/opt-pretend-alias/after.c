#include <stdio.h>
#include "q.h"

void k(void) {
for (int j=0;j<300;j++) A[0][j]=j;
#pragma scop
#pragma omp parallel for
for (int c0 = 1; c0 <= 299; c0++) {
  #pragma omp simd
  for (int c1 = 0; c1 <= 299; c1++)
    A[c0][c1] = B[c0 - 1][c1] + 1;
}
#pragma endscop

}
int main(void){ k(); double s=0; for (int i=0;i<300;i++) for (int j=0;j<300;j++) s+=A[i][j]*i; printf("%g\n",s); return 0; }
