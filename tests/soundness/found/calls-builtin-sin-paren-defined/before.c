#include <stdio.h>
double a[100]; static int c; double (sin)(double x){ return x + c++; }
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = __builtin_sin(i);
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
