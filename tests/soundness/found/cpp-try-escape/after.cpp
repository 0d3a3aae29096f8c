#include <stdio.h>
double a[100]; double *p;
void k(void) {
double t=0; try { p = &t; } catch (...) {}
#pragma scop
for (int i=99;i>=0;i--) { t = i; a[i] = t; }
#pragma endscop
printf("%g\n",*p);
}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
