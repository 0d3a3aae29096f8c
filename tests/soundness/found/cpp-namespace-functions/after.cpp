#include <stdio.h>
double a[100]; namespace P { static double f(double x){return x+1;} } namespace Q { static double f(double x){return x+2;} }
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = Q::f(i);
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
