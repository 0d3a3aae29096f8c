#include <stdio.h>
double a[300]; int *gp; static void f(int i){ if (i==50) *gp = 60; }
void k(void) {
int n=100; switch (gp=&n,1) {default:;}
#pragma scop
{int m = n; for (int i=0;i<m;i++) a[i]=i; for (int i=0;i<m;i++) f(i);}
#pragma endscop

}
int main(void){ k(); printf("%g %g\n",a[50],a[99]); return 0; }
