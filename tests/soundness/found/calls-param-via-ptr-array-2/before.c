#include <stdio.h>
double a[300]; int n=100; int *pn[1]={&n}; static void f(int i){ if (i==50) (*pn[0])=60; }
void k(void) {

#pragma scop
for (int i=0;i<n;i++) { a[i]=i; f(i); }
#pragma endscop

}
int main(void){ k(); printf("%g %g %g\n",a[5],a[50],a[99]); return 0; }
