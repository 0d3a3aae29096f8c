#include <stdio.h>
double a[100]; struct S { static double f(double c){return c+1;}}; struct T { static double f(double c){return c+2;}};
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = T::f(i);
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
