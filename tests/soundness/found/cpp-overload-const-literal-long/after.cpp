#include <stdio.h>
double a[100]; static double f(long c){return 1;} static double f(long long c){return 2;}
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = f(1LL);
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
