#include <stdio.h>
double a[100]; struct K{double *p; void operator<<(double &x){p=&x;}};
void k(void) {
double t=0; K p; p<<t;
#pragma scop
for (int i=0;i<100;i++) { t = i; a[i] = t; }
#pragma endscop
printf("%g\n",*p.p);
}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
