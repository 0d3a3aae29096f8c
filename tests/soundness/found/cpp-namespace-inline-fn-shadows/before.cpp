#include <stdio.h>
double a[100]; static double f(double x){return 1;} namespace Z { static double f(double x){return 2;} }
void k(void) {

#pragma scop
for (int i=0;i<100;i++) { a[i]=f(i); }
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
