#include <stdio.h>
double a[100];
void k(void) {
double t=0; auto show = [&]{ printf("%g\n",t); };
#pragma scop
for (int i=99;i>=0;i--) { t = i; a[i] = t; }
#pragma endscop
show();
}
int main(){ k(); printf("%g %g\n",a[5],a[50]); return 0; }
