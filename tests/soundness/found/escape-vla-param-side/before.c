#include <stdio.h>
double a[100];
double *P; void k(double t, int x[(P=&t,3)]) {

#pragma scop
for (int i=0;i<100;i++) { t = i; a[i] = t; }
#pragma endscop
printf("%g\n",*P);
}
int main(void){ k(1,0); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
