#include <stdio.h>
double a[100]; template<class T> static double f(double c){return c+sizeof(T);}
void k(void) {

#pragma scop
for (int i=0;i<100;i++) a[i] = f<char>(i);
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
