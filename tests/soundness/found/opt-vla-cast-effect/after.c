#include <stdio.h>
#include <math.h>
double a[300][300]; int cnt;
void k(void) {

#pragma scop
#pragma omp parallel for
for (int c0 = 0; c0 <= 299; c0++)
  for (int c1 = 0; c1 <= 299; c1++) {
    (void)(int (*)[(cnt++ , 3)])0;
    a[c1][c0] = cnt;
  }
#pragma endscop

}
int main(void){ k(); double s=0; for (int i=0;i<300;i++) for (int j=0;j<300;j++) s+=a[i][j]*i; printf("%g\n",s); return 0; }
