#include <stdio.h>
double a[100]; template<int N> static double f(double c){return c+N;}
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = f<2>(i);
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
