#include <stdio.h>
double a[300]; int n=1; int *pn[1]={&n}; static void f(void){ (*pn[0])++; }
void k(void) {

#pragma scop
for (int i=0;i<100;i++) { f(); a[i+n]=i; }
#pragma endscop

}
int main(void){ k(); printf("%g %g %g\n",a[5],a[150],a[199]); return 0; }
