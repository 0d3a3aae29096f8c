#include <stdio.h>
double a[100]; struct K { double *p; K(double &x):p(&x){} ~K(){printf("%g\n",*p);} };
void k(void) {
double t=0; K kk(t);
#pragma scop
for (int i=99;i>=0;i--) { t = i; a[i] = t; }
#pragma endscop

}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
