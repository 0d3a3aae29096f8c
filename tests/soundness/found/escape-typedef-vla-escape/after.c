#include <stdio.h>
double a[100]; double *p;
void k(void) {
double t=0; typedef int V[(p = &t, 3)];
#pragma scop
for (int i=99;i>=0;i--) { t = i; a[i] = t; }
#pragma endscop
printf("%g\n",*p);
}
int main(void){ k(); printf("%g %g\n",(double)a[5],(double)a[50]); return 0; }
