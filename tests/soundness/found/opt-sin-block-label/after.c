#include <stdio.h>
#include <math.h>
void zz(void){extern double sin(double) __asm__("my_sin");} double my_sin(double x){ static int c; return x + c++; }
double a[300][300];
void k(void) {

#pragma scop
#pragma omp parallel for
for (int c0 = 0; c0 <= 299; c0++)
  for (int c1 = 0; c1 <= 299; c1++)
    a[c0][c1] = sin(c1);
#pragma endscop

}
int main(void){ k(); double s=0; for (int i=0;i<300;i++) for (int j=0;j<300;j++) s+=a[i][j]*i; printf("%g\n",s); return 0; }
