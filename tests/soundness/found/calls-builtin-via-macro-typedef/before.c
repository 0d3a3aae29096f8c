#include <stdio.h>
double a[100]; static int c; typedef double D; extern D (log)(D) ; D log2x(D x){return x;} __typeof__(log2x) log; double (log)(double x){ return x + c++; }

void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = __builtin_log(i);
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
