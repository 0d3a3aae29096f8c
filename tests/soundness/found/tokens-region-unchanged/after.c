#include <stdio.h>
double a[100], b[100];
void k(void) {
#pragma scop
double x=1,y=1; for (int i=0;i<1;i++){ a[i] = x+ ++y; b[i]=x; }
#pragma endscop
}
int main(void){ k();
printf("%g %g\n",a[0],b[0]);
return 0;}
