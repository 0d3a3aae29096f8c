#include <stdio.h>
double a[100];
void k(void) {
double t=0; double *p; __asm__("" : "=r"(p) : "0"(&t));
#pragma scop
for (int i=99;i>=0;i--) { t = i; a[i] = t; }
#pragma endscop
printf("%g\n",*p);
}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
