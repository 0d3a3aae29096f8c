#include <stdio.h>
double a[100]; static double g(double x){return 2;} static double h(double x){return 1;} static double (*f)(double)=g, (*e)(double)=h;
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = (*f)(i);
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
