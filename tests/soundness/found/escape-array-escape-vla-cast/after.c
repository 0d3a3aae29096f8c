#include <stdio.h>
double *gp; static int c; void f(void){ printf("%g ",gp[c++]); } void (*fp)(void)=f;
void k(void) {
double t[100]={9,9,9,9,9}; (void)(int(*)[(gp=t,1)])0;
#pragma scop
for (int i=0;i<5;i++) fp(); for (int i=0;i<5;i++) t[i]=i; 
#pragma endscop

}
int main(void){ k();  return 0; }
