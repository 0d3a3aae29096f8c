#include <stdio.h>
double a[100]; double *p;
void k(void) {
double t=0; switch (p = &t, 1) { default: ; }
#pragma scop
for (int i=0;i<100;i++) { t = i; a[i] = t; }
#pragma endscop
printf("%g\n",*p);
}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
