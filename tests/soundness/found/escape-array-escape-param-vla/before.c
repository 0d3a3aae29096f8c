#include <stdio.h>
double *gp; static int c; void f(void){ printf("%g ",gp[c++]); } void (*fp)(void)=f;
void k(double *restrict t, int x[(gp=t,1)]) {

#pragma scop
for (int i=0;i<5;i++) { t[i]=i; fp(); }
#pragma endscop

}
int main(void){ static double T[100]={9,9,9,9,9}; k(T,0);  return 0; }
