#include <stdio.h>
#include <math.h>
extern double (sin)(double) __asm__("my_sin"); double my_sin(double x){ static int c; return x + c++; }
double a[100];
void k(void) {

#pragma scop
for (int i=99;i>=0;i--) a[i] = __builtin_sin(i);
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
