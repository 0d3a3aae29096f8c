#include <stdio.h>
#include <math.h>
int (min)(int,int) __asm__("mymin"); int c; int mymin(int x,int y){ c++; return x<y?x:y; }
double a[300][300];
void k(void) {

#pragma scop
#pragma omp parallel for
for (int c0 = 0; c0 <= 299; c0++)
  for (int c1 = 0; c1 <= 299; c1++)
    a[c0][c1] = min(c1, c0) + c;
#pragma endscop

}
int main(void){ k(); double s=0; for (int i=0;i<300;i++) for (int j=0;j<300;j++) s+=a[i][j]*i; printf("%g\n",s); return 0; }
